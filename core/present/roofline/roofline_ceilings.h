// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/roofline/roofline_points.h"

#include <string>

// The measured roofs of a roofline chart, for the sources that build it.
namespace flopsmith {

/// How high and how steep the measured roofs are; 0 where there is none.
struct MeasuredExtent
{
    double highest = 0.0; ///< FLOP/s
    double steepest = 0.0; ///< B/s
    double shallowest = 0.0; ///< B/s

    double ridge() const { return shallowest > 0.0 ? highest / shallowest : 0.0; }
};

MeasuredExtent measuredExtent(const RooflineChart& chart);

/// Adds those roofs of the machine that are not the pair of `on`, says whose that pair is, and says which
/// of them were measured, where and when.
void addMachine(const MachineRoofs& machine, const HardwarePeak& on, RooflineChart& chart);

} // namespace flopsmith
