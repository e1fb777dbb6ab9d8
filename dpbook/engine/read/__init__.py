"""Read a statement once: text or LaTeX becomes nodes, and nodes become a statement.

`text` and `latex` make the same `nodes`; `build` makes SymPy objects of them; `readings` has the
functions that the rest of the engine calls. `grammar` shows the grammar.
"""
