"""Notebooks run without the network and without the user's own IPython settings."""

from __future__ import annotations

import ipaddress
import os
import sys
from pathlib import Path

# Each of these audit events carries a host, or an address whose first part is one.
HOST_FIRST = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
ADDRESS_SECOND = {"socket.connect", "socket.sendto", "socket.sendmsg"}
PROFILE = """\
c = get_config()
c.InteractiveShellApp.exec_lines = [
    "__import__('dpbook.teaching.offline', fromlist=['offline']).refuse_network()"
]
c.HistoryManager.enabled = False
c.Application.log_level = 50
"""


_refusing = False


class NetworkRefused(OSError):
    """A notebook asked for a host other than this one."""


def refuse_network() -> None:
    """Refuse, for the rest of this process, every Python socket to another host.

    An audit hook cannot be taken off again. The kernel's own channels are unaffected: ZeroMQ
    opens its sockets in C. What another program does that the notebook starts is not seen.
    """
    global _refusing
    _refusing = True
    sys.addaudithook(_refuse)


def is_refused() -> bool:
    """Return whether this process refuses the network: it runs a notebook whose outputs are kept."""
    return _refusing


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event in HOST_FIRST:
        host = arguments[0]
    elif event in ADDRESS_SECOND:
        address = arguments[1]
        if not isinstance(address, tuple):  # a Unix socket, or a socket that is connected already
            return
        host = address[0]
    else:
        return
    if not _is_this_machine(host):
        raise NetworkRefused(f"a chapter runs without the network, but it asked for {host!r}")


def _is_this_machine(host: object) -> bool:
    name = host.decode(errors="replace") if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(name)).is_loopback
    except ValueError:
        return False


def environment(folder: Path) -> dict[str, str]:
    """Return the variables under which a kernel refuses the network.

    Parameters
    ----------
    folder : Path
        An empty folder, which becomes the kernel's IPython folder.

    Returns
    -------
    dict
        The present environment with ``IPYTHONDIR`` replaced.
    """
    profile = folder / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_config.py").write_text(PROFILE, encoding="utf-8")
    return {**os.environ, "IPYTHONDIR": str(folder)}
