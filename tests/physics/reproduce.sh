#!/usr/bin/env bash
# All published results, the sampled and timed ones too, as `rill reproduce all --csv` writes them: nothing differs, no two rows
# repeat each other, none compares 0 with 0, and no tolerance is as large as its number.  Only times may differ: other work on the
# machine makes them.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
[ -n "${PYTHON-}" ] || exit 77
"$RILL" reproduce all --csv all.csv >/dev/null 2>.stderr
"$PYTHON" - $? <<'PYTHON' || fail "the rows of reproduce: $(cat .stderr)"
import collections, csv, sys
rows = list(csv.DictReader(open("all.csv")))
seen = collections.Counter((row["quantity"], row["setting"]) for row in rows)
assert max(seen.values()) == 1, [key for key, count in seen.items() if count > 1]
differing = [row for row in rows if row["verdict"] == "differs"]
assert int(sys.argv[1]) == (1 if differing else 0), sys.argv
assert all(row["name"] == "tao-owhadi-timing" for row in differing), differing
for row in rows:
    if row["verdict"] == "":
        assert row["expected"] == row["source"] == row["tolerance"] == "", row
        continue
    assert row["verdict"] in ("agrees", "known-deviation") or row in differing, row
    expected, ours, tolerance = (float(row[key]) for key in ("expected", "ours", "tolerance"))
    assert expected != 0 or ours != 0, row
    assert tolerance > 0 and (tolerance < abs(expected) or row["source"] == "exact" and expected == 0 and tolerance <= 1e-9), row
PYTHON
finish
