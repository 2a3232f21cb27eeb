// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace flopsmith::ui {

/// The size and precision of texts, lines and numbers, for a reader at the screen or an audience in
/// the last row. Widgets use its type size, charts all three.
struct DisplayScale
{
    double points = 0.0; ///< of ordinary text; 0: the application's
    double lines = 1.0; ///< factor of the width of every line of a chart and the size of its marks
    bool threeDigits = false; ///< short numbers have at most three significant digits

    bool operator==(const DisplayScale&) const = default;
};

inline constexpr double kLecturePoints = 22.0;
inline constexpr double kMinLecturePoints = 18.0;
inline constexpr double kMaxLecturePoints = 28.0;

/// For a projector: curves of two pixels have three.
constexpr DisplayScale lectureScale(double points = kLecturePoints)
{
    return {.points = points, .lines = 1.5, .threeDigits = true};
}

} // namespace flopsmith::ui
