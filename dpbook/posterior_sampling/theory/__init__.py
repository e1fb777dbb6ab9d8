"""Compute the constants of the paper's assumptions for a model, and the loss of its posteriors."""
