"""Gives a checkpoint another step: at_step.py CHECKPOINT STEP [VERSION]; the checksum is made anew."""
import struct
import sys
import zlib

path, step = sys.argv[1], int(sys.argv[2])
data = bytearray(open(path, "rb").read())
at = 40
while at < len(data):
    name_length, kind, count = struct.unpack_from("=BcQ", data, at)
    name = bytes(data[at + 10 : at + 10 + name_length]).decode()
    items = at + 10 + name_length
    if name == "step":
        struct.pack_into("=Q", data, items, step)
    if name == "version" and len(sys.argv) > 3:
        assert len(sys.argv[3]) == count - 1
        data[items : items + count - 1] = sys.argv[3].encode()
    at = items + count * (1 if kind == b"b" else 8)
struct.pack_into("=Q", data, 32, zlib.crc32(bytes(data[40:]), zlib.crc32(bytes(data[:32]))))
open(path, "wb").write(data)
