"""Makes untrusted files: hostile.py FOLDER, in which sound.h5md and sound.csv are."""
import os
import shutil
import sys

import h5py
import numpy as np

folder = sys.argv[1]
POSITION, STEP, DECK = "particles/trajectory/position", "particles/trajectory/position/step", "parameters/rill/deck"


def changed(name):
    shutil.copy(f"{folder}/sound.h5md", f"{folder}/{name}.h5md")
    return h5py.File(f"{folder}/{name}.h5md", "r+")


def instead(name, path, link):
    with changed(name) as file:
        file["kept"] = file[path]
        del file[path]
        file[path] = link


instead("soft", STEP, h5py.SoftLink("/kept"))
instead("soft-group", POSITION, h5py.SoftLink("/kept"))
instead("soft-particles", "particles", h5py.SoftLink("/kept"))
instead("external-link", POSITION, h5py.ExternalLink("sound.h5md", "/" + POSITION))
os.mkfifo(f"{folder}/fifo.h5md")
instead("fifo-link", DECK, h5py.ExternalLink("fifo.h5md", "/deck"))

with open(f"{folder}/secret", "w") as secret:
    secret.write("a secret of another file\n" * 8)
with changed("external-storage") as file:
    del file[DECK]
    kind = h5py.h5t.C_S1.copy()
    kind.set_size(64)
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    creation.set_external(f"{folder}/secret".encode(), 0, 64)
    h5py.h5d.create(file.id, DECK.encode(), kind, h5py.h5s.create(h5py.h5s.SCALAR), creation)
with changed("external-numbers") as file:
    values = file[POSITION + "/value"]
    shape, unit = values.shape, values.attrs["unit"]
    del file[POSITION + "/value"]
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    creation.set_external(f"{folder}/secret".encode(), 0, h5py.h5f.UNLIMITED)
    h5py.h5d.create(file.id, (POSITION + "/value").encode(), h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple(shape),
                    creation)
    file[POSITION + "/value"].attrs["unit"] = unit
with changed("virtual") as file:
    values = file[POSITION + "/value"]
    layout = h5py.VirtualLayout(shape=values.shape, dtype=values.dtype)
    layout[...] = h5py.VirtualSource("sound.h5md", POSITION + "/value", shape=values.shape)
    del file[POSITION + "/value"]
    file.create_virtual_dataset(POSITION + "/value", layout)
with changed("filter") as file:
    times = file["particles/trajectory/position/time"][:]
    del file["particles/trajectory/position/time"]
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    creation.set_chunk((4,))
    creation.set_filter(32015, h5py.h5z.FLAG_OPTIONAL, (3,))
    h5py.h5d.create(file.id, b"particles/trajectory/position/time", h5py.h5t.IEEE_F64LE,
                    h5py.h5s.create_simple(times.shape, times.shape), creation)
with changed("packed") as file: # by HDF5's own filters: that is read
    times = file["particles/trajectory/position/time"]
    values, unit = times[:], times.attrs["unit"]
    del file["particles/trajectory/position/time"]
    file.create_dataset("particles/trajectory/position/time", data=values, compression="gzip", shuffle=True,
                        fletcher32=True).attrs["unit"] = unit
with changed("unused-link") as file: # what is not read does not matter
    file["observables/more"] = h5py.ExternalLink("/dev/null", "/x")

EVIL = "\x1b]0;title\x07\x1b[31m\r\x9b1m \u202e"
with changed("escapes") as file:
    del file[DECK]
    file[DECK] = np.bytes_(f"; {EVIL}\n".encode())
    creator = file["h5md/creator"].attrs
    creator["name"] = np.bytes_(f"other {EVIL}\nrill: error".encode())
with changed("long") as file: # characters of two bytes across the ends of all buffers, whatever their parity
    del file[DECK]
    file[DECK] = np.bytes_(f"; {'é' * 5001}\n; {'é' * 5001}\n".encode())
shutil.copy(f"{folder}/sound.h5md", f"{folder}/{EVIL}\nrill.h5md")
with open(f"{folder}/escapes.csv", "w") as table:
    table.write(f"# comment {EVIL}\n# units: ps,{EVIL}\ntime,{EVIL}\n1,2\n")
with open(f"{folder}/escapes.gro", "w") as gro:
    gro.write(f"title {EVIL}\n3\n" + "".join(f"    1{EVIL[:4]:>5}{atom:>5}{i + 1:5d}{i:8.3f}{0:8.3f}{0:8.3f}\n"
                                              for i, atom in enumerate(("OW", "HW1", "HW2"))) + "0 0 0\n")
with open(f"{folder}/escapes.xyz", "w") as xyz:
    xyz.write(f"3\n{EVIL}\nO 0 0 0\nH 0.957 0 0\nH -0.24 0.927 0\n")
with open(f"{folder}/escapes.ini", "w") as deck:
    deck.write("[system]\nkind = caf\u00e9 \u202e \u009b31m\n")
