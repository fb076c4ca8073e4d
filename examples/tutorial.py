"""From a file of measurements to a table for a paper; docs/tutorial.md walks through it.

Run from the top of the repository, after `make python`: python3 examples/tutorial.py
"""
import os
import pathlib

import numpy as np

import lgn

out = pathlib.Path(os.environ.get("TUTORIAL", "build/tutorial"))
out.mkdir(parents=True, exist_ok=True)

# [try]
trial = lgn.fit("examples/ringdown.csv", holdout=0.2)
print(trial.structure, trial.warnings)

# [judge]
data = np.genfromtxt("examples/ringdown.csv", delimiter=",", skip_header=1)
t, X = data[:, 0], data[:, 1:]
unseen = t >= t[0] + 0.8 * (t[-1] - t[0])
error = (trial.simulate(t) - X)[unseen]
print(f"error in the last fifth {np.sqrt((error**2).mean()):.4f}, noise {trial.fit['noise_sigma']:.4f}")

# [fit]
model = lgn.fit("examples/ringdown.csv", structure="sd", bootstrap=500)
model.save(out / "model.json")
model.report(out / "report.html")
print(model.poles.round(4))

# [predict]
later = model.simulate(np.arange(0, 150.5, 0.5))
print(dict(zip(model.channels, later[-1].round(6).tolist())))

# [table]
print("| f [Hz] | damping ratio |\n|---|---|")
columns = model.modes  # a DataFrame; a list of dicts where pandas is not installed
rows = columns.to_dict("records") if hasattr(columns, "to_dict") else columns
for row in rows:
    if row["im"] > 0:
        frequency = f"{row['frequency_hz']:.6f} ± {row['se_frequency_hz']:.6f}"
        print(f"| {frequency} | {row['damping_ratio']:.5f} ± {row['se_damping_ratio']:.5f} |")
