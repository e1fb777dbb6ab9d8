"""Files of proofs, and the command that checks them: nothing here decides whether a proof is right.

`kernel.check` imports none of it.
"""
