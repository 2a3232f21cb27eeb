// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>

namespace flopsmith {

/// Whether files may be written into an existing folder.
enum class ExistingFolder { refuse, writeInto };

/// Lets `write` fill a folder whose name ends with ".partial". When everything is written, a new
/// folder gets its own name; if the folder exists and that is allowed, the files are moved into it
/// and replace files and links of the same names. After an error nothing of it remains. Errors: a
/// folder that exists, one that cannot be created, and errors of `write`.
Status writeNewFolder(const std::string& folder,
                      ExistingFolder existing,
                      const std::function<Status(const std::string& folder)>& write);

} // namespace flopsmith
