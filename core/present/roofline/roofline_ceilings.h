// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/roofline/roofline_points.h"

#include <string>

// The measured roofs of a roofline chart, for the sources that build it.
namespace flopsmith {

/// The highest and the steepest of the measured roofs; 0 without one.
struct MeasuredExtent
{
    double highest = 0.0; ///< FLOP/s
    double steepest = 0.0; ///< B/s
    double shallowest = 0.0; ///< B/s

    double ridge() const { return shallowest > 0.0 ? highest / shallowest : 0.0; }
};

MeasuredExtent measuredExtent(const RooflineChart& chart);

/// Adds the machine's roofs other than the pair of `on`, names the owner of that pair, and notes
/// which roofs were measured, where and when.
void addMachine(const MachineRoofs& machine, const HardwarePeak& on, RooflineChart& chart);

} // namespace flopsmith
