"""placeholder"""
from dpbook.engine.compile import compiled
