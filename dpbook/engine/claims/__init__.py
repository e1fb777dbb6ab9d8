"""Claims: declared, found, decided in the order of dependence, put on record and shown."""
