"""What can be said: statements, domains, function symbols, what is defined, and how a verdict is shown."""
