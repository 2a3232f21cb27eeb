// SPDX-License-Identifier: MIT
#include "core/train/settings/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flopsmith {

std::int64_t Schedule::cooldownSteps() const
{
    return decay == Decay::linear ? std::llround(cooldown * static_cast<double>(steps)) : 0;
}

double Schedule::factor(std::int64_t step) const
{
    const std::int64_t now = std::clamp<std::int64_t>(step, 1, std::max<std::int64_t>(steps, 1));
    const double warm = now < warmup ? static_cast<double>(now) / static_cast<double>(warmup) : 1.0;
    if (decay == Decay::linear) {
        const std::int64_t length = cooldownSteps();
        const double left = static_cast<double>(steps - now + 1) / static_cast<double>(length + 1);
        return std::min({warm, 1.0, left});
    }
    if (now <= warmup || steps <= warmup) {
        return warm;
    }
    const double share = static_cast<double>(now - warmup) / static_cast<double>(steps - warmup);
    return floor + (1.0 - floor) * 0.5 * (1.0 + std::cos(std::numbers::pi * share));
}

} // namespace flopsmith
