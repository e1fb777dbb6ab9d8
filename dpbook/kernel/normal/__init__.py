"""The normal form of terms, with the inference of signs under which it is made."""
