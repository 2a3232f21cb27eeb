// SPDX-License-Identifier: MIT
#include "core/study/sweep/curve_plan.h"

#include "core/study/variation/field_number.h"
#include "core/study/variation/variation.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

class PlanBuilder
{
public:
    void add(std::size_t curve, double x, const Scenario& scenario)
    {
        CurvePlan::Point point{.curve = curve, .x = x};
        for (MeasuredPart& part : partsOfPass(scenario)) {
            if (part.addsToTotal()) {
                const int uses = part.uses;
                point.uses.push_back({indexOf(std::move(part)), uses});
            }
        }
        m_plan.points.push_back(std::move(point));
    }

    CurvePlan plan() { return std::move(m_plan); }

private:
    std::size_t indexOf(MeasuredPart part)
    {
        std::vector<MeasuredPart>& parts = m_plan.parts;
        const auto same = std::find_if(parts.begin(), parts.end(), [&part](const MeasuredPart& p) {
            return p.operation == part.operation;
        });
        if (same != parts.end()) {
            return static_cast<std::size_t>(same - parts.begin());
        }
        part.uses = 1;
        parts.push_back(std::move(part));
        return parts.size() - 1;
    }

    CurvePlan m_plan;
};

using MeasuredOf = std::function<const Measured*(std::size_t part)>;

bool isComplete(const CurvePlan::Point& point, const MeasuredOf& measured)
{
    return std::all_of(point.uses.begin(), point.uses.end(), [&](const auto& use) {
        return measured(use.part) != nullptr;
    });
}

// Complete points of two curves at the same x.
struct Pair
{
    const CurvePlan::Point* first = nullptr;
    const CurvePlan::Point* second = nullptr;
};

std::vector<Pair> pairs(const CurvePlan& plan,
                        std::size_t first,
                        std::size_t second,
                        const MeasuredOf& measured)
{
    std::vector<Pair> all;
    for (const CurvePlan::Point& a : plan.points) {
        const auto b = std::find_if(plan.points.begin(), plan.points.end(), [&](const auto& p) {
            return p.curve == second && p.x == a.x;
        });
        if (a.curve == first && b != plan.points.end() && isComplete(a, measured)
            && isComplete(*b, measured)) {
            all.push_back({&a, &*b});
        }
    }
    return all;
}

double seconds(const CurvePlan::Point& point, const std::vector<double>& ofPart)
{
    double sum = 0.0;
    for (const CurvePlan::Point::Use& use : point.uses) {
        sum += use.times * ofPart[use.part];
    }
    return sum;
}

// The medians of all parts, each with its own random error.
std::vector<double> drawnMedians(std::size_t parts, const MeasuredOf& measured, Random* random)
{
    std::vector<double> medians(parts, 0.0);
    for (std::size_t part = 0; part < parts; ++part) {
        const Measured* result = measured(part);
        if (result != nullptr && result->medianSeconds > 0.0) {
            const double moved = random == nullptr
                ? 0.0
                : random->normal() * standardError(*result) / result->medianSeconds;
            medians[part] = result->medianSeconds * std::exp(moved);
        }
    }
    return medians;
}

} // namespace

Axis thinned(const Axis& axis, int maxValues)
{
    const auto wanted = static_cast<std::size_t>(std::max(maxValues, 2));
    if (axis.values.size() <= wanted) {
        return axis;
    }
    Axis thin = axis;
    thin.values.clear();
    for (std::size_t i = 0; i < wanted; ++i) {
        thin.values.push_back(axis.values[i * (axis.values.size() - 1) / (wanted - 1)]);
    }
    return thin;
}

CurvePlan curvePlan(std::span<const Scenario> curves,
                    const Axis& axis,
                    const std::vector<Tie>& ties)
{
    std::vector<std::optional<Variation>> variations;
    for (const Scenario& scenario : curves) {
        Result<Variation> variation =
            Variation::create(scenario, {axis.key}, tiesThatApply(scenario, axis.key, ties));
        variations.push_back(variation ? std::optional(std::move(*variation)) : std::nullopt);
    }
    PlanBuilder builder;
    for (const FieldValue& value : axis.values) {
        const std::optional<double> x = numberOf(value);
        for (std::size_t curve = 0; curve < curves.size() && x; ++curve) {
            if (!variations[curve]) {
                builder.add(curve, *x, curves[curve]);
                continue;
            }
            const Scenario scenario = ties.empty() ? variations[curve]->at({value})
                                                   : variations[curve]->repairedAt({value});
            if (variations[curve]->problem(scenario).empty()) {
                builder.add(curve, *x, scenario);
            }
        }
    }
    return builder.plan();
}

std::vector<std::vector<CurveTime>> curveTimes(const CurvePlan& plan,
                                               std::size_t curves,
                                               const MeasuredOf& measured)
{
    std::vector<std::vector<CurveTime>> all(curves);
    for (const CurvePlan::Point& point : plan.points) {
        if (!isComplete(point, measured)) {
            continue;
        }
        PassTimeSum sum;
        for (const CurvePlan::Point::Use& use : point.uses) {
            sum.add(*measured(use.part), use.times);
        }
        all[point.curve].push_back({point.x, sum.time()});
    }
    return all;
}

std::optional<Crossover> crossover(const CurvePlan& plan,
                                   std::size_t first,
                                   std::size_t second,
                                   const MeasuredOf& measured,
                                   std::uint64_t seed)
{
    const std::vector<Pair> both = pairs(plan, first, second, measured);
    std::vector<double> x;
    for (const Pair& pair : both) {
        x.push_back(pair.first->x);
    }
    const LogRatios ratios = [&](Random* random) {
        const std::vector<double> medians = drawnMedians(plan.parts.size(), measured, random);
        std::vector<double> drawn;
        for (const Pair& pair : both) {
            drawn.push_back(
                std::log(seconds(*pair.first, medians) / seconds(*pair.second, medians)));
        }
        return drawn;
    };
    return crossover(x, ratios, seed);
}

} // namespace flopsmith
