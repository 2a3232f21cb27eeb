// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace flopsmith {

/// The level of detail of the stack, which follows from the zoom.
enum class StackDetail {
    bars, ///< a block is a bar, whose length is its share of the cost
    parts, ///< mixer and FFN, each with its bar
    operations, ///< also the operations that they execute
};
StackDetail detailAt(double zoom);

inline constexpr double kMinZoom = 0.002; // a thousand blocks in a window
inline constexpr double kMaxZoom = 3.0;
inline constexpr double kPartsZoom = 0.4; ///< the smallest zoom that shows parts

/// The nearest available zoom; 1 for a value that is not finite.
double legalZoom(double zoom);

/// The next larger (by = 1) or smaller (by = −1) of the round steps.
double steppedZoom(double zoom, int by);

/// After turning the wheel by so many notches; it stops at 100 % when it passes it.
double wheeledZoom(double zoom, double notches);

/// "62 %", "0.4 %"
std::string zoomText(double zoom);

} // namespace flopsmith
