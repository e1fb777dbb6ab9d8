"""A setting from numbers in the paper's order, and a question from one dictionary."""

from dpbook.langevin import Setting


def made(n, alpha, beta, x_h, c=1.0):
    return Setting(n=n, alpha=alpha, beta=beta, x_h=x_h, c=c)


def asked(question, /, **numbers):
    """Ask a setting; the numbers that it does not hold are the method's."""
    held = {name: numbers.pop(name) for name in Setting.__dataclass_fields__ if name in numbers}
    return getattr(Setting(**held), question)(**numbers)
