# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in for worker.py: adds x and f, and behaves as the device's name says."""
import array
import json
import os
import sys
import time

BEHAVIOUR = sys.argv[3]
FACTS = {"torch": "2.6.0", "python": "3.11", "device": "cuda:0", "title": "Stand-in GPU",
         "platform": "CUDA", "platform_version": "12.4", "bytes": 1 << 30, "threads": 1,
         "devices": [{"name": "cuda:0", "title": "Stand-in GPU"}, {"name": "cpu", "title": "CPU"}]}


def say(answer):
    print(json.dumps(answer), flush=True)


def values(path, name):
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        begin, end = json.loads(file.read(length))[name]["data_offsets"]
        file.seek(8 + length + begin)
        return array.array("f", file.read(end - begin))


def run(request):
    x, f = (values(request["inputs"], name) for name in "xf")
    wrong = 1.0 if BEHAVIOUR == "wrong" else 0.0
    with open(request["outputs"], "wb") as file:
        array.array("f", [a + b + wrong for a, b in zip(x, f)]).tofile(file)
    say({"device_bytes": 4096})


def misbehaves(request):
    """What goes wrong with a request, if anything does."""
    if BEHAVIOUR == "memory" and request["do"] == "load":
        say({"error": "memory", "sentence": "CUDA out of memory. Tried to allocate 9 GiB"})
    elif BEHAVIOUR == "vanishes" and request["do"] == "time":
        say({"error": "failed", "sentence": "AcceleratorError: CUDA error: device is lost"})
    elif BEHAVIOUR == "dies" and request["do"] == "run":
        sys.stderr.write("Segmentation fault\n")
        os._exit(139)
    elif BEHAVIOUR == "babbles" and request["do"] == "run":
        print("Welcome", flush=True)
    elif BEHAVIOUR == "hangs" and request["do"] == "time":
        time.sleep(1000)
    else:
        return False
    return True


say(FACTS)
for line in sys.stdin:
    asked = json.loads(line)
    if misbehaves(asked):
        continue
    if asked["do"] == "run":
        run(asked)
    elif asked["do"] == "time":
        say({"seconds": 1e-3 * asked["runs"]})
    elif asked.get("precision") == "tf32":
        say({"error": "bad_operation", "sentence": "there is no tf32 here"})
    else:
        say({})
