// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>

namespace flopsmith {

/// Whether files may be written into a folder that is there.
enum class ExistingFolder { refuse, writeInto };

/// Lets `write` fill a folder: a new one under another name, which it gets its own from when all is
/// written, and which is removed after an error; or one that exists, if that is allowed. Errors: a
/// folder that exists, one that cannot be made, and those of `write`.
Status writeNewFolder(const std::string& folder,
                      ExistingFolder existing,
                      const std::function<Status(const std::string& folder)>& write);

} // namespace flopsmith
