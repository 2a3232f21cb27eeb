// SPDX-License-Identifier: MIT
#pragma once

#include "core/store/sqlite.h"

namespace flopsmith {

/// The schema version that this program writes; a file has its version in user_version.
inline constexpr int kStoreVersion = 2;

/// Creates the tables of an empty file, or upgrades those of an earlier version, in one
/// transaction. A file that is not Flopsmith's, that a later version wrote, or that must be
/// upgraded but is read-only, is an Error and stays unchanged.
Status prepareSchema(sqlite::Database& database);

} // namespace flopsmith
