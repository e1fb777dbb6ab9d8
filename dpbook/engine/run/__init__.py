"""The way of a task to its verdict, in worker processes with limits that count work."""
