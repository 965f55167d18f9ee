"""Checkpoints with a lie in each, and a checksum that fits: forge.py CHECKPOINT GROUP... makes for each entry of these groups
CHECKPOINT.N, N from 0, in which its first item is another."""
import struct
import sys
import zlib

path, groups = sys.argv[1], tuple(group + "/" for group in sys.argv[2:])
data = bytearray(open(path, "rb").read())
at, number = 40, 0
while at < len(data):
    name_length, kind, count = struct.unpack_from("=BcQ", data, at)
    name = bytes(data[at + 10 : at + 10 + name_length]).decode()
    items = at + 10 + name_length
    at = items + count * (1 if kind == b"b" else 8)
    if count == 0 or not name.startswith(groups):
        continue
    forged = bytearray(data)
    forged[items] ^= 5
    struct.pack_into("=Q", forged, 32, zlib.crc32(bytes(forged[40:]), zlib.crc32(bytes(forged[:32]))))
    with open(f"{path}.{number}", "wb") as stream:
        stream.write(forged)
    number += 1
