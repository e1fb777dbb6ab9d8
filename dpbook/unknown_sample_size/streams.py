"""Compute the next number of a generator inside a loop, without drawing it.

NumPy's default bit generator is PCG64: a linear congruential generator of 128 bits, whose state stands in
four words. A kernel that holds them computes the next number in a few instructions, and has the
generator move on only where that number was needed.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.random import PCG64, Generator
from numpy.typing import NDArray

from dpbook.privacy.compiling import njit

Words = NDArray[np.uint64]

LOW, HIGH = np.uint64(0x4385DF649FCCF645), np.uint64(0x2360ED051FC65DA4)  # the multiplier
UNIT = 1.0 / 9007199254740992.0  # 2**-53


def live_words(rng: Generator) -> Words:
    """Return the state of a generator, as it stands in memory: state and increment, low words first.

    Empty for another bit generator than PCG64, and where the memory is not laid out as expected: it is
    compared with the state that NumPy gives out.
    """
    bits = rng.bit_generator
    none = np.empty(0, dtype=np.uint64)
    if type(bits) is not PCG64 or sys.byteorder != "little":
        return none
    address = ctypes.c_void_p.from_address(bits.ctypes.state_address).value
    if address is None:
        return none
    words = np.ctypeslib.as_array((ctypes.c_uint64 * 4).from_address(address))
    said: Any = bits.state["state"]
    found = [int(low) + (int(high) << 64) for low, high in words.reshape(2, 2)]
    return words if found == [said["state"], said["inc"]] else none


def _product_of_words(context: Any, first: Any, second: Any) -> Any:
    """Return the signature and the code of the upper half of a product of two words."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        double = ir.IntType(128)
        product = builder.mul(*(builder.zext(one, double) for one in arguments))
        return builder.trunc(builder.lshr(product, ir.Constant(double, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


_high_product: Any = intrinsic(_product_of_words)


@njit(inner=True, forceinline=True)
def next_words(low: Any, high: Any, step_low: Any, step_high: Any) -> Any:
    """Return the state after one number."""
    product = low * LOW
    found = product + step_low
    carry = np.uint64(found < product)
    return found, _high_product(low, LOW) + low * HIGH + high * LOW + step_high + carry


@njit(inner=True, forceinline=True)
def output(low: Any, high: Any) -> Any:
    """Return the uniform number on [0, 1) of a state."""
    turn, mixed = high >> np.uint64(58), low ^ high
    turned = (mixed >> turn) | (mixed << ((np.uint64(64) - turn) & np.uint64(63)))
    return np.float64(np.int64(turned >> np.uint64(11))) * UNIT
