"""How a statement is read: text or LaTeX becomes nodes, nodes become a statement; each text is read once.

`text` and `latex` make the same `nodes`; `build` makes SymPy objects of them; `readings` has the
functions that the rest of the engine calls. `grammar` shows the grammar.
"""
