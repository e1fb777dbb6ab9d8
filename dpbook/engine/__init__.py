"""What a claim is and how it is decided; knows no paper."""
