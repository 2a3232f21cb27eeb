# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs check.py of every folder in the folder that is named, in one process.

Prints what those say that are not equal, and how many are.
"""

import contextlib
import io
import pathlib
import runpy
import sys
import traceback


def said(folder):
    """What its check says, and whether all is equal."""
    text = io.StringIO()
    sys.modules.pop("model", None)
    sys.path.insert(0, str(folder))
    code = 1
    try:
        with contextlib.redirect_stdout(text):
            runpy.run_path(str(folder / "check.py"), run_name="__main__")
    except SystemExit as end:
        code = end.code
    except Exception:  # a program that fails is one that is not equal
        traceback.print_exc(file=text)
    finally:
        sys.path.pop(0)
    return text.getvalue(), code == 0


def main():
    sys.dont_write_bytecode = True
    folders = sorted(path.parent for path in pathlib.Path(sys.argv[1]).glob("*/check.py"))
    equal = 0
    for folder in folders:
        text, is_equal = said(folder)
        equal += is_equal
        if not is_equal:
            print(f"{folder}:\n{text}")
    print(f"{equal} of {len(folders)} equal")
    sys.exit(0 if folders and equal == len(folders) else 1)


if __name__ == "__main__":
    main()
