// SPDX-License-Identifier: MIT
#include "core/study/sweep/crossover.h"

#include "core/study/variation/square.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flopsmith {
namespace {

constexpr double kBeyond = std::numeric_limits<double>::infinity();

// The last downward zero crossing of the line through the log ratios: -∞ if it is below 0
// everywhere, ∞ if it is not below 0 at the end.
double place(std::span<const double> places, std::span<const double> ratios)
{
    if (ratios.back() >= 0.0) {
        return kBeyond;
    }
    for (std::size_t i = ratios.size() - 1; i-- > 0;) {
        if (ratios[i] >= 0.0) {
            return places[i]
                + (places[i + 1] - places[i]) * ratios[i] / (ratios[i] - ratios[i + 1]);
        }
    }
    return -kBeyond;
}

// At the x that two curves share: ln of their quotient, and its standard deviation.
struct Common
{
    std::vector<double> x;
    std::vector<double> ratio;
    std::vector<double> deviation;
};

Common common(std::span<const MeasuredSample> first, std::span<const MeasuredSample> second)
{
    Common all;
    auto other = second.begin();
    for (const MeasuredSample& sample : first) {
        while (other != second.end() && other->x < sample.x) {
            ++other;
        }
        if (other != second.end() && other->x == sample.x && sample.y > 0.0 && other->y > 0.0) {
            all.x.push_back(sample.x);
            all.ratio.push_back(std::log(sample.y / other->y));
            all.deviation.push_back(std::sqrt(square(sample.standardError / sample.y)
                                              + square(other->standardError / other->y)));
        }
    }
    return all;
}

void addInterval(Crossover& found,
                 std::span<const double> drawn,
                 const std::function<double(double)>& valueOf)
{
    constexpr double kTail = 0.025;
    const auto quantile = [&drawn](double share) {
        return drawn[static_cast<std::size_t>(share * static_cast<double>(drawn.size() - 1))];
    };
    if (const double low = quantile(kTail); std::isfinite(low)) {
        found.low = valueOf(low);
    }
    if (const double high = quantile(1.0 - kTail); std::isfinite(high)) {
        found.high = valueOf(high);
    }
}

} // namespace

std::optional<Crossover> crossover(std::span<const double> x,
                                   const LogRatios& ratios,
                                   std::uint64_t seed,
                                   int resamples)
{
    if (x.size() < 2) {
        return std::nullopt;
    }
    const bool logarithmic = x.front() > 0.0;
    std::vector<double> places(x.begin(), x.end());
    if (logarithmic) {
        std::transform(
            x.begin(), x.end(), places.begin(), [](double value) { return std::log(value); });
    }
    const auto valueOf = [logarithmic](double at) { return logarithmic ? std::exp(at) : at; };
    const double at = place(places, ratios(nullptr));
    if (!std::isfinite(at)) {
        return Crossover{.kind = at > 0.0 ? Crossover::Kind::never : Crossover::Kind::always};
    }
    Crossover found{.kind = Crossover::Kind::from, .x = valueOf(at)};
    Random random(seed);
    std::vector<double> drawn;
    for (int i = 0; i < resamples; ++i) {
        drawn.push_back(place(places, ratios(&random)));
    }
    std::sort(drawn.begin(), drawn.end());
    if (!drawn.empty()) {
        addInterval(found, drawn, valueOf);
    }
    return found;
}

std::optional<Crossover> crossover(std::span<const MeasuredSample> first,
                                   std::span<const MeasuredSample> second,
                                   std::uint64_t seed,
                                   int resamples)
{
    const Common all = common(first, second);
    const LogRatios ratios = [&all](Random* random) {
        std::vector<double> drawn = all.ratio;
        for (std::size_t i = 0; random != nullptr && i < drawn.size(); ++i) {
            drawn[i] += all.deviation[i] * random->normal();
        }
        return drawn;
    };
    return crossover(all.x, ratios, seed, resamples);
}

} // namespace flopsmith
