// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/operation.h"
#include "core/present/time/part_time.h"

#include <QString>

#include <optional>
#include <vector>

namespace flopsmith::ui {

/// Estimates how long measuring the parts without a time will take: a few runs of each at
/// `flopsPerSecond`, or at the rate of a modest processor if that is unknown. Accurate within a
/// small factor, enough to distinguish seconds from minutes.
double expectedSeconds(const std::vector<MeasuredPart>& parts,
                       const std::vector<PartTime>& times,
                       std::optional<double> flopsPerSecond);

/// "40 s", "12 min", "3 h".
QString roughTimeText(double seconds);

} // namespace flopsmith::ui
