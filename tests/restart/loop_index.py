"""loop_index.py FILE: makes the older leaves of the chunk indices of an HDF5 file point to themselves.  No checkpoint holds
them, for rows that are appended leave them alone, and no checksum of HDF5's covers them."""
import sys

with open(sys.argv[1], "r+b") as file:
    data = file.read()
    at, changed = data.find(b"TREE"), 0
    while at >= 0:
        kind, level = data[at + 4], data[at + 5]
        entries, right = int.from_bytes(data[at + 6:at + 8], "little"), data[at + 16:at + 24]
        if kind == 1 and level == 0 and right != b"\xff" * 8:
            file.seek(at + 5)
            file.write(b"\x01")
            for i in range(entries):
                file.seek(at + 24 + 40 + i * 48)  # behind a key of size, filters, and 4 offsets: rank 3
                file.write(at.to_bytes(8, "little"))
            changed += 1
        at = data.find(b"TREE", at + 1)
sys.exit(changed == 0)
