"""What the literature says about privacy; every claim carries its own source."""
