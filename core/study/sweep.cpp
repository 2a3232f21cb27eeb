// SPDX-License-Identifier: MIT
#include "core/study/sweep.h"

#include "core/model/parameter_table.h"
#include "core/model/validation.h"

#include <algorithm>
#include <charconv>

namespace flopsmith {
namespace {

// A key that names one block of a run needs that block to stand alone.
void isolateNamedBlock(Model& model, std::string_view key)
{
    constexpr std::string_view kPrefix = "blocks[";
    constexpr std::string_view kRepeat = ".repeat";
    const bool ofRun =
        key.size() > kRepeat.size() && key.substr(key.size() - kRepeat.size()) == kRepeat;
    if (key.substr(0, kPrefix.size()) != kPrefix || ofRun) {
        return;
    }
    int block = -1;
    std::from_chars(key.data() + kPrefix.size(), key.data() + key.size(), block);
    if (model.runOf(block) >= 0) {
        model.isolateBlock(block);
    }
}

// The base with its parameters looked up once: all points have its structure.
class PreparedSweep
{
public:
    static Result<PreparedSweep> create(const SweepPlan& plan)
    {
        if (plan.axes.empty()) {
            return Error{"a sweep needs an axis"};
        }
        if (plan.points() > kMostSweepPoints) {
            return Error{"the axes have more than " + std::to_string(kMostSweepPoints)
                         + " combinations; take fewer values"};
        }
        PreparedSweep prepared;
        prepared.m_base = plan.base;
        for (const Axis& axis : plan.axes) {
            isolateNamedBlock(prepared.m_base.model, axis.key);
        }
        for (const Axis& axis : plan.axes) {
            prepared.m_swept.push_back(matchingParameters(prepared.m_base, axis.key));
            if (prepared.m_swept.back().empty()) {
                return Error{axis.key + ": this model has no such parameter"};
            }
        }
        prepared.m_all = allParameters(prepared.m_base);
        return prepared;
    }

    Scenario at(const std::vector<FieldValue>& values) const
    {
        Scenario scenario = m_base;
        for (std::size_t axis = 0; axis < values.size(); ++axis) {
            for (const Parameter& parameter : m_swept[axis]) {
                parameter.assign(scenario, values[axis]);
            }
        }
        return scenario;
    }

    // Values are judged one by one; only if one is wrong, the whole sentence is worded.
    std::string problem(const Scenario& scenario) const
    {
        const bool legal = std::all_of(m_all.begin(), m_all.end(), [&](const Parameter& p) {
            return !p.applies(scenario) || p.legal(scenario).contains(p.value(scenario));
        });
        if (legal) {
            return {};
        }
        const Status status = validated(scenario);
        return status.ok() ? std::string{} : status.error().message;
    }

private:
    Scenario m_base;
    std::vector<std::vector<Parameter>> m_swept;
    std::vector<Parameter> m_all;
};

// Counts through all combinations like an odometer; false after the last one.
bool advance(std::vector<std::size_t>& index, const std::vector<Axis>& axes)
{
    for (std::size_t axis = axes.size(); axis-- > 0;) {
        if (++index[axis] < axes[axis].values.size()) {
            return true;
        }
        index[axis] = 0;
    }
    return false;
}

std::vector<FieldValue> valuesAt(const std::vector<std::size_t>& index,
                                 const std::vector<Axis>& axes)
{
    std::vector<FieldValue> values;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        values.push_back(axes[axis].values.at(index[axis]));
    }
    return values;
}

SweepPoint pointAt(const SweepPlan& plan,
                   const PreparedSweep& prepared,
                   std::vector<FieldValue> values)
{
    SweepPoint point{.at = std::move(values)};
    const Scenario scenario = prepared.at(point.at);
    point.problem = prepared.problem(scenario);
    if (point.possible()) {
        const Figures all = figures(costTree(scenario, plan.pairs), scenario, plan.lens);
        for (const MetricId id : plan.metrics) {
            point.values.push_back(metricValue(id, all));
        }
    }
    return point;
}

} // namespace

std::size_t SweepPlan::points() const
{
    std::size_t product = axes.empty() ? 0 : 1;
    for (const Axis& axis : axes) {
        product = std::min(product * axis.values.size(), kMostSweepPoints + 1);
    }
    return product;
}

Result<SweepEnd> sweep(const SweepPlan& plan,
                       const std::function<void(const SweepPoint&)>& visit,
                       const std::stop_token& stop)
{
    const Result<PreparedSweep> prepared = PreparedSweep::create(plan);
    if (!prepared) {
        return prepared.error();
    }
    if (plan.points() == 0) {
        return SweepEnd::complete;
    }
    std::vector<std::size_t> index(plan.axes.size(), 0);
    do {
        if (stop.stop_requested()) {
            return SweepEnd::stopped;
        }
        visit(pointAt(plan, *prepared, valuesAt(index, plan.axes)));
    } while (advance(index, plan.axes));
    return SweepEnd::complete;
}

Result<Scenario> scenarioAt(const SweepPlan& plan, const std::vector<FieldValue>& at)
{
    const Result<PreparedSweep> prepared = PreparedSweep::create(plan);
    if (!prepared) {
        return prepared.error();
    }
    return prepared->at(at);
}

Result<std::vector<SweepPoint>> sweepPoints(const SweepPlan& plan)
{
    std::vector<SweepPoint> points;
    const Result<SweepEnd> end =
        sweep(plan, [&points](const SweepPoint& point) { points.push_back(point); });
    if (!end) {
        return end.error();
    }
    return points;
}

} // namespace flopsmith
