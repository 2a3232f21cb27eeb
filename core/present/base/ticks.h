// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// How the values of an axis are spread.
enum class AxisScale { linear, log2, log10 };

/// A labelled place on an axis. `position` is in axis space: the value itself, or its logarithm to
/// the axis' base.
struct Tick
{
    double position = 0.0;
    double value = 0.0;
    std::string label{};

    bool operator==(const Tick&) const = default;
};

/// A range of an axis that is never empty, with the labels that fit into it.
struct TickAxis
{
    AxisScale scale = AxisScale::linear;
    double low = 0.0; ///< in axis space
    double high = 1.0; ///< in axis space, always above low
    std::vector<Tick> ticks{}; ///< ascending, inside [low, high]

    /// The position of a value between low (0) and high (1); 0 for a value that the scale cannot
    /// show (not finite, or not positive on a logarithmic axis).
    double share(double value) const;

    /// The value at a share of the axis' length.
    double valueAt(double share) const;

    bool operator==(const TickAxis&) const = default;
};

/// Whether the scale has a place for the value.
bool isShowable(AxisScale scale, double value);

/// value → axis space: itself, log2 or log10.
double axisPosition(AxisScale scale, double value);

/// The other way round.
double axisValue(AxisScale scale, double position);

/// What equal steps along an axis mean, in words.
std::string_view scaleText(AxisScale scale);

/// A place of a line by the values of two axes.
struct LinePlace
{
    double along = 0.0;
    double across = 0.0;
};

/// Where a line first has the value along one axis: the value across, between neighbouring places as
/// a straight line on these scales. Nothing if the line does not reach it.
std::optional<double> crossing(std::span<const LinePlace> line,
                               AxisScale alongScale,
                               AxisScale acrossScale,
                               double along);

/// How a quantity is written on an axis.
enum class TickUnit {
    si, ///< "512", "1 k", "2.5 M", "10 T"; from 10²¹ on "4.1e25"
    parameters, ///< the same with billions: "2.5 M", "8 B"
    bytes, ///< "512 B", "4 kB", "2 GB"
    seconds, ///< "10 µs", "1 s"
    binary, ///< powers of two as lengths: "512", "1k" for 1024, "2k"
};

std::string tickText(double value, TickUnit unit);

/// At most `maxTicks` (at least 2) ticks.
///   linear  round steps 1, 2, 2.5, 5 × 10^n; the range grows to whole steps at both ends
///   log10   powers of ten, every n-th if there are many; 2 and 5 join them when there are few
///   log2    powers of two, every n-th if there are many
/// Logarithmic ranges grow to a whole tick at both ends (`grow`), or stay unchanged and label the
/// ticks inside. Empty, equal, reversed, not finite and, on logarithmic scales, not positive ranges
/// are repaired to something that can be drawn.
enum class RangeEnds { grow, keep };
TickAxis tickAxis(AxisScale scale,
                  double low,
                  double high,
                  int maxTicks,
                  TickUnit unit = TickUnit::si,
                  RangeEnds ends = RangeEnds::grow);

} // namespace flopsmith
