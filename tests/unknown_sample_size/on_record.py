"""Points for the tests of refuted claims: one of our own, and the one on record."""

import json
from fractions import Fraction
from pathlib import Path

import dpbook.unknown_sample_size

RECORD = Path(dpbook.unknown_sample_size.__file__).parent / "claims" / "record.json"


def recorded_points(key, own):
    """Return our own point of a claim and, where there is a record, its counterexample."""
    points = [own]
    claims = json.loads(RECORD.read_text(encoding="utf-8"))["claims"]
    found = claims.get(f"unknown_sample_size:{key}", {}).get("counterexample")
    if isinstance(found, dict):
        points.append({**own, **found})
    return [{name: Fraction(str(value)) for name, value in point.items()} for point in points]
