"""Subspace methods of SLICOT through Octave's package control: one Octave, which is asked again and again."""

import pathlib
import subprocess
import tempfile

import numpy
import scipy.io

from held_system import HeldSystem

ASK = """
try
  load("{folder}/in.mat"); began = cputime;
  [found, x0, info] = {method}(iddata(y, u, 1), {order}, "s", {rows});
  [a, b, c, d] = ssdata(found); seconds = cputime - began;
  save("-v7", "{folder}/out.mat", "a", "b", "c", "d", "seconds"); printf("done\\n");
catch problem
  printf("failed: %s\\n", strtok(problem.message, "\\n"));
end; fflush(stdout);
"""


class Octave:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            ["octave-cli", "--quiet", "--no-init-file", "--no-history"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.process.stdin.write("pkg load control; warning('off', 'all');\n")

    def fit(self, method, y, u, setting):
        folder = pathlib.Path(self.folder.name)
        scipy.io.savemat(folder / "in.mat", {"y": y - y.mean(axis=0), "u": u - u.mean(axis=0)})
        text = ASK.format(folder=folder, method=method, order=setting[0], rows=setting[1])
        self.process.stdin.write(text)
        self.process.stdin.flush()
        # It prints remarks of its own.
        while (said := self.process.stdout.readline()) != "done\n":
            if not said or said.startswith("failed: "):
                raise ValueError(said.strip() or "Octave has ended")
        found = scipy.io.loadmat(folder / "out.mat")
        matrices = (numpy.atleast_2d(found[name]) for name in "abcd")
        return HeldSystem.about_means(*matrices, y, u, seconds=found["seconds"].item())


octave = Octave()
