"""A checkpoint of a run that began with another kernel: kernel.py CHECKPOINT KERNEL changes its name, and the checksum."""
import struct
import sys
import zlib

path, kernel = sys.argv[1], sys.argv[2].encode() + b"\0"
data = bytearray(open(path, "rb").read())
at = 40
while True:
    name_length, kind, count = struct.unpack_from("=BcQ", data, at)
    items = at + 10 + name_length
    if data[at + 10 : items] == b"kernel":
        break
    at = items + count * (1 if kind == b"b" else 8)
data[items : items + count] = kernel
struct.pack_into("=Q", data, at + 2, len(kernel))
struct.pack_into("=Q", data, 24, len(data) - 40)
struct.pack_into("=Q", data, 32, zlib.crc32(bytes(data[40:]), zlib.crc32(bytes(data[:32]))))
open(path, "wb").write(data)
