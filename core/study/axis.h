// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/legal_values.h"
#include "core/base/result.h"
#include "core/model/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A parameter and the values that it takes along one direction of a sweep.
struct Axis
{
    std::string key; ///< as matchingParameters() understands it: "seq", "ffn.k_freq"
    std::string label; ///< "sequence"
    std::string unit; ///< "tokens", or empty
    Scale scale = Scale::linear; ///< how a chart spreads the values
    std::vector<FieldValue> values{}; ///< different ones, at least one; numbers ascend

    bool operator==(const Axis&) const = default;
};

/// How the values between the two ends of an axis are spread.
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

/// What may stand on an axis. `legal`: what is legal in the scenario as it is. `any`: what other
/// axes or ties may make legal (a d_model that the heads of the scenario do not divide, where the
/// heads follow it); every point is judged for itself then.
enum class AxisValues { legal, any };

/// An axis has at most this many values.
inline constexpr int kMaxAxisValues = 10'000;

/// A number's values from one end to the other. With AxisValues::legal both ends must be legal in
/// the scenario. Where both are, values between them that are not legal move to the nearest that is;
/// with AxisValues::any and an end that is not legal, all stay as they come.
Result<Axis> axisBetween(const Scenario& scenario,
                         std::string_view key,
                         double from,
                         double to,
                         Spacing spacing = {},
                         AxisValues values = AxisValues::legal);

/// The values that are listed, as the command line spells them; with AxisValues::legal each must be
/// legal.
Result<Axis> axisOfTexts(const Scenario& scenario,
                         std::string_view key,
                         const std::vector<std::string>& texts,
                         AxisValues values = AxisValues::legal);

/// All stops of the parameter's slider, thinned to at most `maxValues`.
Result<Axis> axisOfStops(const Scenario& scenario, std::string_view key, int maxValues = 33);

} // namespace flopsmith
