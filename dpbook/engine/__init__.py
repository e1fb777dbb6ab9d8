"""Defines claims, and decides them; knows no paper."""

import sys

# exact numbers of a statement may have 10 000 digits, and what is made of two of them twice as many
if 0 < sys.get_int_max_str_digits() < 50_000:
    sys.set_int_max_str_digits(50_000)
