// SPDX-License-Identifier: MIT
#include "core/mixer/rope.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flopsmith {
namespace {

constexpr double kFullTurn = 2.0 * std::numbers::pi;

// The frequency divided by `factor` where kept is 0, as it is where kept is 1.
double mixed(double frequency, double factor, double kept)
{
    return (1.0 - kept) * frequency / factor + kept * frequency;
}

double llama3Frequency(const Rope& rope, double frequency)
{
    const double turns = rope.trainedPositions * frequency / kFullTurn;
    if (turns < rope.lowFrequency) {
        return frequency / rope.factor;
    }
    if (turns > rope.highFrequency) {
        return frequency;
    }
    const double kept = (turns - rope.lowFrequency) / (rope.highFrequency - rope.lowFrequency);
    return mixed(frequency, rope.factor, kept);
}

// The pair, not rounded, that turns so often within the trained positions.
double pairOfTurns(const Rope& rope, double turns, int features)
{
    return features * std::log(rope.trainedPositions / (turns * kFullTurn))
        / (2.0 * std::log(rope.base));
}

double yarnFrequency(const Rope& rope, double frequency, int pair, int features)
{
    double low = pairOfTurns(rope, rope.betaFast, features);
    double high = pairOfTurns(rope, rope.betaSlow, features);
    if (rope.wholePairs) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, features - 1.0);
    if (low == high) {
        high += 0.001; // as the library does, so that the ramp has a slope
    }
    const double ramp = std::clamp((pair - low) / (high - low), 0.0, 1.0);
    return mixed(frequency, rope.factor, 1.0 - ramp);
}

} // namespace

template <>
std::vector<std::string_view> enumNames<RopeScaling>()
{
    return {"none", "linear", "llama3", "yarn"};
}

double rotaryAngle(int position, int pair, int features, const Rope& rope)
{
    const double frequency = std::pow(rope.base, -2.0 * pair / features);
    switch (rope.scaling) {
    case RopeScaling::none: break;
    case RopeScaling::linear: return position * (frequency / rope.factor);
    case RopeScaling::llama3: return position * llama3Frequency(rope, frequency);
    case RopeScaling::yarn: return position * yarnFrequency(rope, frequency, pair, features);
    }
    return position * frequency;
}

} // namespace flopsmith
