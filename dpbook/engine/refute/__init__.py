"""What is false: points, small finite distributions, the examples of an author."""
