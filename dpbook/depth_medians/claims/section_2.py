"""Section 2: outlyingness, the median that it gives, and privacy."""

from sympy import Abs, Eq, Le, Max

from dpbook import Noted, claim
from dpbook.depth_medians.notation import (
    far_1,
    far_2,
    location,
    moved,
    other_point,
    out_1,
    out_2,
    point,
    scale,
    share,
    stretch,
)


@claim("definition-2.1", place="Definition 2.1, eq. 2.1")
def projected_outlyingness():
    """Projected outlyingness."""
    return Noted("a definition: the supremum over directions of |x'u - mu_u| / sigma_u")


@claim(
    "text-2.1-affine",
    place="Section 2.1 and Example 3.1: O(Ax + b, A nu + b) = O(x, nu), direction by direction: u "
    "sees A x + b as A'u / |A'u| sees x, stretched by |A'u| and moved by b'u, and location and "
    "scale are equivariant; as A is nonsingular, u -> A'u / |A'u| is onto the sphere",
    scope="one direction: that the supremum is over the same directions, as A is nonsingular, is not part of it",
)
def outlyingness_under_an_affine_map():
    """Outlyingness in one direction, after an affine map."""
    return Eq(
        Abs((stretch * point + moved) - (stretch * location + moved)) / (stretch * scale),
        Abs(point - location) / scale,
    )


@claim(
    "note-convex",
    place="Appendix A says quasiconvex: outlyingness is a supremum of functions that are convex",
)
def outlyingness_between_two_points():
    """Outlyingness in one direction, between two points."""
    between = share * point + (1 - share) * other_point
    return Le(
        Abs(between - location) / scale,
        share * (Abs(point - location) / scale)
        + (1 - share) * (Abs(other_point - location) / scale),
    )


@claim(
    "note-supremum",
    place="used in the proof of Lemma B.2, for two directions; a third is compared with their largest",
)
def suprema_of_two_families():
    """Largest of two numbers, for two datasets."""
    return Le(
        Abs(Max(out_1, out_2) - Max(far_1, far_2)),
        Max(Abs(out_1 - far_1), Abs(out_2 - far_2)),
    )


@claim(
    "definition-2.2", place="Definition 2.2; where argmin O has no volume it names no distribution"
)
def projection_depth_median():
    """Projection-depth median."""
    return Noted(
        "a definition: the mean of the uniform distribution on the points that lie out least"
    )


@claim("definition-2.3", place="Definition 2.3, eq. 2.2; neighbours differ in one replaced row")
def differential_privacy():
    """Differential privacy of a mechanism on datasets."""
    return Noted("a definition; privacy's hockey_stick is the least delta at an epsilon")
