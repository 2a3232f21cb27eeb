# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains every folder in the folder that is named, as the program that stands in it does.

    python torch_trainer.py FOLDERS

Each folder has what `flopsmith export torch --train` writes. All are trained in one process, on one
thread, from their first step; into each goes curve.json with the loss before every step.
"""

import json
import pathlib
import sys


def trained(folder):
    """The loss before each step of the training in this folder."""
    for name in ("model", "check", "train"):
        sys.modules.pop(name, None)
    path = list(sys.path)  # train.py takes places away
    sys.path.insert(0, str(folder))
    try:
        import train
    finally:
        sys.path[:] = path
    settings = json.loads((folder / "training.json").read_text())
    training = train.Training(settings, train.Group("cpu"))
    return [training.take_step()[0] for _ in range(settings["step"], settings["until"])]


def main():
    import torch

    sys.dont_write_bytecode = True
    torch.set_num_threads(1)
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*/training.json")):
        (path.parent / "curve.json").write_text(json.dumps(trained(path.parent)))


if __name__ == "__main__":
    main()
