"""What the paper's assumptions mean for a model, and what its posteriors really tell."""
