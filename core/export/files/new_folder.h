// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>

namespace flopsmith {

/// Whether files may be written into a folder that is there.
enum class ExistingFolder { refuse, writeInto };

/// Lets `write` fill a folder whose name ends with ".partial". When all is written, a new folder gets
/// its own name; into one that exists, if that is allowed, the files are moved, and replace files and
/// links of their names. After an error nothing of it is left. Errors: a folder that exists, one that
/// cannot be made, and those of `write`.
Status writeNewFolder(const std::string& folder,
                      ExistingFolder existing,
                      const std::function<Status(const std::string& folder)>& write);

} // namespace flopsmith
