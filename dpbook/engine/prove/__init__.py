"""What is true: sequents, the one search, its tactics; a certificate is trusted in nothing but the kernel."""
