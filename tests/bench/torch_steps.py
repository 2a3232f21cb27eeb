# SPDX-License-Identifier: GPL-3.0-or-later
"""Training steps of exported models by PyTorch, timed on request.

Reads one JSON object per line from standard input and answers each with one on standard output:

  {"do": "hello"}                                    -> {"torch": VERSION}
  {"do": "load", "folder": PATH, "threads": N}       -> {}
  {"do": "step", "steps": N}    -> {"wall": seconds of all steps, "loss": of the last one}

A folder has what `flopsmith export torch --train` writes; its batches are taken in turn.
"""

import json
import pathlib
import sys
import time

import torch


class Steps:
    """Steps of the training in a folder, from its first batch again after its last one."""

    def __init__(self, folder, threads):
        torch.set_num_threads(threads)
        for name in ("model", "check", "train"):
            sys.modules.pop(name, None)
        path = list(sys.path)  # train.py takes places away
        sys.path.insert(0, str(folder))
        try:
            import train
        finally:
            sys.path[:] = path
        settings = json.loads((folder / "training.json").read_text())
        self.first = settings["step"]
        self.training = train.Training(settings, train.Group("cpu"))

    def take(self, count):
        began = time.perf_counter()
        loss = 0.0
        for _ in range(count):
            if self.training.step - self.first == len(self.training.batches):
                self.training.step = self.first
            loss = self.training.take_step()[0]
        return {"wall": time.perf_counter() - began, "loss": loss}


def main():
    sys.dont_write_bytecode = True
    steps = None
    for line in sys.stdin:
        request = json.loads(line)
        answer = {}
        try:
            if request["do"] == "hello":
                answer = {"torch": torch.__version__}
            elif request["do"] == "load":
                steps = Steps(pathlib.Path(request["folder"]), request["threads"])
            else:
                answer = steps.take(request["steps"])
        except Exception as problem:  # an answer, so that the program that asked goes on
            answer = {"error": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
