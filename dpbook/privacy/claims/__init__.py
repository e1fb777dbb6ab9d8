"""Claims of the literature about privacy; every claim carries its own source."""
