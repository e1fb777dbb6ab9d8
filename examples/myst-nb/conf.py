"""A MyST-NB project: pages in Markdown with cells that run, and claims of its own."""

project = "Tail bounds"
extensions = ["myst_nb", "dpbook.ext.sphinx"]
dpbook_claims = ["bounds.py"]
myst_enable_extensions = ["dollarmath"]
nb_execution_mode = "force"
nb_execution_timeout = 300
exclude_patterns = ["_build", "jupyter_execute"]
