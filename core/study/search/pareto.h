// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace flopsmith {

/// Whether smaller or larger values of a quantity are better.
enum class Better { smaller, larger };

/// The points that no other point dominates; a point dominates another if it is at least as good in
/// every quantity and better in one. Ascending indices; equal points are all on the front or none
/// is. Each point has one value per direction; a point with a NaN is never on the front.
///
/// Two quantities take n·log n steps, more quantities n times the size of the front.
std::vector<std::size_t> paretoFront(const std::vector<std::vector<double>>& points,
                                     std::span<const Better> directions);

} // namespace flopsmith
