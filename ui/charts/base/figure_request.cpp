// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/figure_request.h"

#include "core/present/study/study_axis.h"

namespace flopsmith::ui {

PairsRule pairsOf(const FigureRequest& request)
{
    return request.pairs.value_or(lens(request.lens).pairs);
}

std::vector<ComparedDesign> designsOf(const FigureRequest& request)
{
    std::vector<ComparedDesign> all{
        {.name = request.name.empty() ? request.scenario.model.name : request.name,
         .scenario = request.scenario,
         .tree = request.tree,
         .letter = request.letter}};
    all.insert(all.end(), request.others.begin(), request.others.end());
    return all;
}

RequestParts::RequestParts(const FigureRequest& request)
    : m_own(request.parts.empty() ? measuredParts(request.scenario) : std::vector<MeasuredPart>())
    , m_parts(request.parts.empty() ? std::span<const MeasuredPart>(m_own) : request.parts)
{}

Result<Axis> scalingAxis(const FigureRequest& request)
{
    return request.axis ? Result<Axis>(*request.axis)
                        : usualAxis(request.scenario, lengthKey(request.scenario));
}

Result<std::vector<Axis>> studyAxes(const FigureRequest& request)
{
    std::vector<Axis> axes = request.axes;
    if (axes.empty()) {
        for (const std::string_view key : usualStudyKeys(request.scenario)) {
            FLOPSMITH_TRY(const Axis axis, studyAxis(request.scenario, key));
            axes.push_back(axis);
        }
    }
    return axes;
}

std::optional<MetricHardware> metricHardware(const FigureRequest& request)
{
    return request.hardware ? std::optional(MetricHardware{*request.hardware}) : std::nullopt;
}

} // namespace flopsmith::ui
