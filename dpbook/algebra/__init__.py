"""Show that polynomial facts contradict each other; what they are about is not known here."""
