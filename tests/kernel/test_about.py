"""The modules that are trusted are those that a check imports, and are described with their size."""

import subprocess
import sys

from dpbook.kernel.files import about, command
from dpbook.kernel.rules import RULES

CHECK = """
import sys
from dpbook.kernel import Sequent, check
from dpbook.kernel.formulas import parse_formula
s = Sequent((("x", "real"),), (), (parse_formula("x > 0"),), parse_formula("log(exp(x)) > 0"))
check(s, {"rule": "auto"})
print(*sorted(n for n in sys.modules if n.startswith("dpbook.kernel")))
"""


def imported(program):
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    return done.stdout.split()


def test_a_check_imports_the_trusted_modules_and_none_of_the_files():
    names = imported(CHECK)
    assert "dpbook.kernel.normal.facts" in names
    assert not any("files" in name or "__main__" in name or "text" in name for name in names)
    assert names == list(about.trusted_lines())


def test_about_counts_rules_and_trusted_lines(capsys):
    assert command.main(["--about"]) == 0
    said = capsys.readouterr().out
    total = sum(about.trusted_lines().values())
    assert f"{total} trusted lines in {len(about.trusted_lines())} modules" in said
    assert f"{len(RULES)} rules: " in said
    assert total > 1000
    # whether a lemma holds is decided by these two, which a check does not import
    for name in about.CALLERS:
        assert name not in about.trusted_lines()
        assert f"lines in {name}" in said
    for file in ("functions.toml", "axioms.toml", "lemmas.toml"):
        assert file in said


def test_a_long_line_counts_as_several_and_a_docstring_as_none():
    source = f'"""What it is."""\n\nx = 1  # a comment\n# another\ny = "{"a" * 150}"\n'
    assert about.lines_of_code(source) == 1 + 2
