// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/files/folder_verdict.h"

#include <string>

namespace flopsmith::app {

/// Runs check.py of an exported folder by checkingPython() and waits for its verdict, ten minutes
/// at most. Without such a Python, the verdict says so.
FolderVerdict checkedFolder(const std::string& folder);

} // namespace flopsmith::app
