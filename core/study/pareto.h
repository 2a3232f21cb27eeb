// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace flopsmith {

/// Which end of a quantity is the better one.
enum class Better { smaller, larger };

/// The points that no other point beats: there is none that is at least as good in every quantity
/// and better in one. Ascending indices; equal points stand or fall together. Each point has one
/// value per direction; a point with a value that is not a number is never on the front.
///
/// Two quantities take n·log n steps, more of them n times the size of the front.
std::vector<std::size_t> paretoFront(const std::vector<std::vector<double>>& points,
                                     std::span<const Better> directions);

} // namespace flopsmith
