// SPDX-License-Identifier: MIT
#include "core/present/inside/inside_steps.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace flopsmith {
namespace {

std::optional<WireShape> threadOperation(InsideStep& step, const std::optional<WireShape>& before)
{
    switch (step.shape.in) {
    case OperationShape::In::before: step.in = before; break;
    case OperationShape::In::given: step.in = step.shape.reads; break;
    case OperationShape::In::unknown: break;
    }
    switch (step.shape.out) {
    case OperationShape::Out::unknown: break;
    case OperationShape::Out::asIn: step.out = step.in; break;
    case OperationShape::Out::given: step.out = step.shape.gives; break;
    }
    return step.out;
}

} // namespace

InsideStep stepGroup(InsideStep::Kind kind, Steps steps)
{
    InsideStep group{.kind = kind, .steps = std::move(steps)};
    for (const InsideStep& step : group.steps) {
        group.cost += step.cost;
        group.component = group.component != nullptr ? group.component : step.component;
    }
    return group;
}

InsideStep inSequence(Steps steps)
{
    return steps.size() == 1 ? std::move(steps.front())
                             : stepGroup(InsideStep::Kind::sequence, std::move(steps));
}

InsideStep sideBySide(Steps lanes)
{
    return lanes.size() == 1 ? std::move(lanes.front())
                             : stepGroup(InsideStep::Kind::parallel, std::move(lanes));
}

Steps takeSteps(Steps& from, const StepNames& names)
{
    const auto isNamed = [&names](const InsideStep& step) {
        return std::find(names.begin(), names.end(), step.name) != names.end();
    };
    Steps taken;
    std::copy_if(from.begin(), from.end(), std::back_inserter(taken), isNamed);
    std::erase_if(from, isNamed);
    return taken;
}

void splitLanes(Steps& steps, const std::vector<StepNames>& lanes)
{
    const auto first = std::find_if(steps.begin(), steps.end(), [&lanes](const InsideStep& step) {
        return std::any_of(lanes.begin(), lanes.end(), [&step](const StepNames& lane) {
            return std::find(lane.begin(), lane.end(), step.name) != lane.end();
        });
    });
    const auto at = first - steps.begin();
    Steps found;
    for (const StepNames& lane : lanes) {
        Steps taken = takeSteps(steps, lane);
        if (!taken.empty()) {
            found.push_back(inSequence(std::move(taken)));
        }
    }
    if (!found.empty()) {
        steps.insert(steps.begin() + at, sideBySide(std::move(found)));
    }
}

std::optional<WireShape> threadShapes(InsideStep& step, const std::optional<WireShape>& before)
{
    if (step.isOperation()) {
        return threadOperation(step, before);
    }
    step.in = step.out = before;
    const bool parallel = step.kind == InsideStep::Kind::parallel;
    for (std::size_t i = 0; i < step.steps.size(); ++i) {
        const std::optional<WireShape> out =
            threadShapes(step.steps[i], parallel ? before : step.out);
        const bool agrees = !parallel || i == 0 || step.out == out;
        step.out = agrees ? out : std::nullopt;
    }
    return step.out;
}

} // namespace flopsmith
