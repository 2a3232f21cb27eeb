// SPDX-License-Identifier: MIT
#pragma once

#include "core/store/measurement_store.h"

#include <string>

namespace flopsmith {

/// "40 s ago", "3 min ago", "5 h ago", "12 days ago"; "just now" for times in the future.
std::string ageText(UnixSeconds then, UnixSeconds now);

/// A day ("2026-11-18", UTC) or a stretch of time before now ("90min", "6h", "7d", "2w"); else an
/// Error that says so.
Result<UnixSeconds> sinceOf(const std::string& text, UnixSeconds now);

} // namespace flopsmith
