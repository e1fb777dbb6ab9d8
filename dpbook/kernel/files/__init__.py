"""Read files of proofs, and run the command that checks them; `kernel.check` imports none of it.

`check` takes the statements of lemmas as given, so two modules here are trusted as well: `replay` (a lemma
is proved, is not refuted, and does not rest on the proof that uses it) and `lemmas` (a lemma of the kernel is
proved from axioms and earlier lemmas, and its proof shows its statement, compared as text). A fault in another module can make
the kernel check another proof than the file was meant to hold.
"""
