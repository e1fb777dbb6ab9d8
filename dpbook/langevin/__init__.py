"""Can Langevin dynamics give privacy? A paper's claims, decided, and its chain, to run."""
