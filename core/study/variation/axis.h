// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/legal_values.h"
#include "core/base/result.h"
#include "core/model/model.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A parameter and its values along one dimension of a sweep.
struct Axis
{
    std::string key; ///< as for matchingParameters(): "seq", "ffn.k_freq"
    std::string label; ///< "sequence"
    std::string unit; ///< "tokens", or empty
    Scale scale = Scale::linear; ///< of a chart's axis
    std::vector<FieldValue> values{}; ///< distinct, at least one; numbers ascend

    bool operator==(const Axis&) const = default;
};

/// How values are spaced between the two ends of an axis.
struct Spacing
{
    enum class Kind {
        automatic, ///< doubling on a log2 parameter, 33 steps at most on a linear one
        log2, ///< doubling
        step, ///< every `amount`
        count, ///< `amount` values, evenly on the parameter's own scale
    };
    Kind kind = Kind::automatic;
    double amount = 0;
};

/// Which values an axis accepts. `legal`: values that are legal in the scenario. `any`: also values
/// that other axes or ties may make legal (a d_model that the heads do not divide, if a tie changes
/// the heads); then every point is validated separately.
enum class AxisValues { legal, any };

/// An axis has at most this many values.
inline constexpr int kMaxAxisValues = 10'000;

/// Numbers from one end to the other. With AxisValues::legal both ends must be legal. If both are
/// legal, illegal values between them move to the nearest legal value; with AxisValues::any and an
/// illegal end, all values stay unchanged.
Result<Axis> axisBetween(const Scenario& scenario,
                         std::string_view key,
                         double from,
                         double to,
                         Spacing spacing = {},
                         AxisValues values = AxisValues::legal);

/// The listed values in the command line's spelling; with AxisValues::legal each must be legal.
Result<Axis> axisOfTexts(const Scenario& scenario,
                         std::string_view key,
                         const std::vector<std::string>& texts,
                         AxisValues values = AxisValues::legal);

/// All stops of the parameter's slider, thinned to at most `maxValues`.
Result<Axis> axisOfStops(const Scenario& scenario, std::string_view key, int maxValues = 33);

/// The precision of a study, unless one of its axes changes it.
std::optional<Precision> precisionAlong(const Scenario& scenario, std::span<const Axis> axes);

} // namespace flopsmith
