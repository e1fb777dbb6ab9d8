"""Questions as SMT-LIB texts, and Z3's answers."""

# Z3 and FLINT terms pass through one variable in several types here.
# mypy: disable-error-code="assignment, return-value, list-item, arg-type, operator, misc, var-annotated"
from __future__ import annotations

import z3
from flint import fmpq

from dpbook.engine.budget import SLOWEST
from dpbook.engine.methods.ratios import GENERATORS, Ratio, factored
from dpbook.engine.methods.smt_axioms import Problem
from dpbook.engine.methods.smt_signs import FLIPPED

STEPS = 5e6  # of Z3's own count, in a second of an idle core
CALL = 0.003  # seconds that it takes to write and to read a problem
NET = 1.0  # seconds more on the wall than a call should take


class Writer:
    """Formulas as SMT-LIB text: what is asked is what a certificate stores."""

    def __init__(self, problem: Problem, mode: str = "cleared"):
        self.problem, self.mode = problem, mode
        # a context of its own for each problem, so that answers do not depend on earlier ones
        self.context = z3.Context()
        self.steps = 0  # that Z3 has counted in this context
        self.names: dict[int, str] = {}
        self.inverse: dict[str, str] = {}
        self.extra: list[str] = []
        self.polys: dict[str, str] = {}
        self.known: dict[tuple, str] = {}

    def variable(self, index: int) -> str:
        if index not in self.names:
            whole = self.mode == "integer" and index in self.problem.whole
            self.names[index] = f"(to_real g{index})" if whole else f"g{index}"
        return self.names[index]

    def poly(self, poly) -> str:
        key = str(poly)
        if key in self.polys:
            return self.polys[key]
        terms = []
        for exponents, coefficient in poly.terms():
            factors = [] if coefficient == 1 else [_numeral(coefficient)]
            for index, exponent in enumerate(exponents):
                if exponent:
                    factors += [self.variable(index)] * int(exponent)
            terms.append(_application("*", factors, "1.0"))
        self.polys[key] = _application("+", terms, "0.0")
        return self.polys[key]

    def quotient(self, poly) -> str:
        """A fresh r with r * poly = 1."""
        key = str(poly)
        if key not in self.inverse:
            r = f"r{len(self.inverse)}"
            self.inverse[key] = r
            self.extra.append(f"(= (* {r} {self.poly(poly)}) 1.0)")
            sign = self.problem.poly_sign(poly)
            if sign in (">", "<"):
                self.extra.append(f"({sign} {r} 0.0)")
        return self.inverse[key]

    def atom(self, ratio: Ratio, op: str, raw: bool = False) -> str:
        key = (ratio.key, op, raw)
        if key not in self.known:
            self.known[key] = self._atom(ratio, op, raw)
        return self.known[key]

    def _atom(self, ratio: Ratio, op: str, raw: bool) -> str:
        if ratio.num == 0:
            return "true" if op in ("==", "<=", ">=") else "false"
        if raw:
            parts = [self.poly(ratio.num)]
            parts += [self.poly(factor) for factor, power in factored(ratio.den)[1] if power % 2]
            return _compare(parts, op)
        if self.mode == "quotient" and not ratio.den.is_constant():
            parts = [self.poly(ratio.num)]
            for factor, power in factored(ratio.den)[1]:
                parts += [self.quotient(factor)] * power
            return _compare(parts, op)
        content, above = factored(ratio.num)
        if content < 0:
            op = FLIPPED[op]
        parts = []
        for factor, power in above:
            sign = self.problem.poly_sign(factor)
            if sign == ">" or (sign in ("<", "!=") and power % 2 == 0):
                continue
            if op in ("==", "!="):
                if sign not in ("<", "!="):
                    parts.append(self.poly(factor))
            elif sign == "<":
                op = FLIPPED[op]
            else:
                parts += [self.poly(factor)] * (2 - power % 2)
        if op not in ("==", "!="):
            for factor, power in factored(ratio.den)[1]:
                # a denominator is not 0, so "not negative" is positive
                sign = self.problem.poly_sign(factor)
                if power % 2 and sign in ("<", "<="):
                    op = FLIPPED[op]
                elif power % 2 and sign not in (">", ">="):
                    parts.append(self.poly(factor))
        if not parts:
            return "true" if op in (">", ">=", "!=") else "false"
        return _compare(parts, op)

    def formula(self, tree, raw: bool = False) -> str:
        if tree[0] in ("and", "or"):
            parts = [self.formula(t, raw) for t in tree[1]]
            return _application(tree[0], parts, "true" if tree[0] == "and" else "false")
        return self.atom(tree[0], tree[1], raw)

    def text(self, parts: list[str]) -> str:
        """A whole SMT-LIB problem."""
        logic = "QF_NIRA" if self.mode == "integer" else "QF_NRA"
        names = ", ".join(f"g{i} = {s}" for s, i in self.problem.symbols.items())
        lines = [f"; {names}".replace("\n", " "), f"(set-logic {logic})"]
        for index, name in self.names.items():
            sort = "Int" if name.startswith("(to_real") else "Real"
            lines.append(f"(declare-const g{index} {sort})")
        lines += [f"(declare-const {r} Real)" for r in self.inverse.values()]
        seen = dict.fromkeys([*parts, *self.extra])
        lines += [f"(assert {part})" for part in seen if part != "true"]
        return "\n".join([*lines, "(check-sat)", ""])


def _numeral(value: fmpq) -> str:
    p, q = abs(int(value.p)), int(value.q)
    text = f"{p}.0" if q == 1 else f"(/ {p}.0 {q}.0)"
    return f"(- {text})" if value < 0 else text


def _application(head: str, parts: list[str], empty: str) -> str:
    if not parts:
        return empty
    return parts[0] if len(parts) == 1 else f"({head} {' '.join(parts)})"


def _compare(factors: list[str], op: str) -> str:
    value = _application("*", factors, "1.0")
    if op == "!=":
        return f"(not (= {value} 0.0))"
    return f"({'=' if op == '==' else op} {value} 0.0)"


def ask_z3(writer: Writer, text: str, solver_name: str, seconds: float, seed: int):
    """One call of Z3: its answer, if satisfiable the values of the generators, and the work done.

    The limit is one on Z3's own count of steps. Its clock stops only what counts too few of them.
    """
    context = writer.context
    if solver_name.startswith("nlsat"):
        tactic = z3.Tactic("qfnra-nlsat", context)
        # another order of the variables is often a hundred times faster or slower
        solver = (tactic if solver_name == "nlsat" else z3.With(tactic, reorder=False)).solver()
    else:
        solver = z3.Solver(ctx=context)
        solver.set("random_seed", seed)
    solver.set("rlimit", max(1, int(STEPS * seconds)))
    solver.set("timeout", int(1000 * (NET + SLOWEST * seconds)))
    solver.from_string(text)
    before = writer.steps
    answer = solver.check()
    statistics = solver.statistics()
    if "rlimit count" in statistics.keys():  # noqa: SIM118
        writer.steps = statistics.get_key_value("rlimit count")
    spent = CALL + max(0, writer.steps - before) / STEPS
    if answer == z3.sat:
        return "sat", _model_values(solver.model()), spent
    return ("unsat" if answer == z3.unsat else "unknown"), None, spent


def _model_values(model) -> list[fmpq]:
    values = [fmpq(0)] * GENERATORS
    for declaration in model.decls():
        name = declaration.name()
        if not name.startswith("g") or not name[1:].isdigit():
            continue
        value = model[declaration]
        if z3.is_algebraic_value(value):
            value = value.approx(20)
        if z3.is_rational_value(value):
            values[int(name[1:])] = fmpq(value.numerator_as_long(), value.denominator_as_long())
        elif z3.is_int_value(value):
            values[int(name[1:])] = fmpq(value.as_long())
    return values
