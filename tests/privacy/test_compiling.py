"""Who waits at a terminal for kernels to be compiled is told so, once."""

import io

import pytest

from dpbook.privacy import compiling


class Stream(io.StringIO):
    def __init__(self, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


@pytest.mark.parametrize(("terminal", "said"), [(True, compiling.SAID), (False, "")])
def test_a_terminal_is_told_once_that_kernels_are_compiled(monkeypatch, terminal, said):
    stream = Stream(terminal)
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(compiling.telling, "said", False)

    @compiling.njit
    def double(x):
        return 2 * x

    assert (double(1), double(1.5)) == (2, 3.0)  # two signatures are compiled
    assert stream.getvalue() == said
