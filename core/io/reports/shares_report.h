// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/table/table.h"
#include "core/json/json.h"
#include "core/study/machine/part_shares.h"

#include <span>
#include <string>

namespace flopsmith {

/// Where FLOPs mislead: a row per part with both shares, their difference, time, lower bound and the
/// reason in words, in the order of `shares`.
Table sharesTable(std::span<const PartShare> shares, std::string caption);

/// [{"path", "title", "component", "uses", "flops", "bytes", "seconds", "lower_bound_seconds",
///   "flop_share", "time_share", "reason", "why"}]; a part without a time lacks the last six.
Json sharesJson(std::span<const PartShare> shares);

} // namespace flopsmith
