"""write.py FOLDER: small files as NumPy, SciPy and h5py write them, for tests to read.

Each holds two runs of four samples and two channels, x[r, k, c] = 100 r + 10 k + c, times k / 2, and one gap at
x[0, 1, 0]; those with names call the channels "Δq" and "p", the runs "a" and "b". Files of one run hold the first.
"""
import sys

import numpy as np

folder = sys.argv[1]
t = np.arange(4) / 2
x = 100.0 * np.arange(2)[:, None, None] + 10.0 * np.arange(4)[:, None] + np.arange(2)
x[0, 1, 0] = np.nan
channels, runs = ["Δq", "p"], ["a", "b"]

np.savez(f"{folder}/numpy.npz", t=t, x=x, channels=channels, runs=runs)
np.savez_compressed(f"{folder}/numpy_compressed.npz", t=np.tile(t, (2, 1)), x=x, channels=channels, runs=runs)
np.savez(f"{folder}/numpy_types.npz", t=np.asfortranarray(t, ">f4"), x=np.asfortranarray(x, "<f2"), extra={"a": 1})
np.save(f"{folder}/numpy.npy", np.column_stack([t, x[0]]))
np.save(f"{folder}/numpy_runs.npy", np.asfortranarray(np.concatenate([np.tile(t[:, None], (2, 1, 1)), x], axis=2)))

try:
    import scipy.io

    cells = np.array(channels, dtype=object)
    scipy.io.savemat(f"{folder}/scipy.mat", {"t": t, "x": x, "channels": cells, "runs": runs})
    scipy.io.savemat(f"{folder}/scipy_compressed.mat", {"t": t, "x": x[0], "channels": cells}, do_compression=True)
except ImportError:
    print("no scipy", file=sys.stderr)

try:
    import h5py

    with h5py.File(f"{folder}/h5py.h5", "w") as f:
        f["t"], f["x"] = t, x
        f["channels"], f["runs"] = channels, np.array(runs, "S3")
    with h5py.File(f"{folder}/h5py_chunked.h5", "w", libver="latest") as f:
        f.create_dataset("t", data=np.arange(4) / 2, dtype=">f4")
        f.create_dataset("x", data=x, chunks=(1, 2, 2), compression="gzip", shuffle=True, fletcher32=True)
        f.create_group("other")["y"] = 1
    # As MATLAB writes version 7.3: a header of 512 bytes, dimensions in reverse, cells as references.
    with h5py.File(f"{folder}/matlab73.mat", "w", userblock_size=512) as f:
        f["t"] = t[None, :]
        f["x"] = np.transpose(x, (0, 2, 1))
        for name in ("t", "x"):
            f[name].attrs["MATLAB_class"] = np.bytes_("double")
        for name, texts in (("channels", channels), ("runs", runs)):
            cells = []
            for k, text in enumerate(texts):
                cell = f.create_dataset(f"#refs#/{name}{k}", data=np.frombuffer(text.encode("utf-16-le"), "<u2")[:, None])
                cell.attrs["MATLAB_class"] = np.bytes_("char")
                cell.attrs["MATLAB_int_decode"] = np.int32(2)
                cells.append([cell.ref])
            f.create_dataset(name, data=np.array(cells, dtype=object), dtype=h5py.ref_dtype)
            f[name].attrs["MATLAB_class"] = np.bytes_("cell")
    with open(f"{folder}/matlab73.mat", "r+b") as f:
        f.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM")
except ImportError:
    print("no h5py", file=sys.stderr)
