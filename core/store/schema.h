// SPDX-License-Identifier: MIT
#pragma once

#include "core/store/sqlite.h"

namespace flopsmith {

/// The layout that this program writes; a file's own stands in its user_version.
inline constexpr int kStoreVersion = 2;

/// Makes the tables of an empty file, or brings those of an earlier version up to date, in one
/// transaction. A file that is not Flopsmith's, that a later version wrote, or that cannot be
/// written though it must be, is an Error, and nothing in it is touched.
Status prepareSchema(sqlite::Database& database);

} // namespace flopsmith
