// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_request.h"

#include <optional>
#include <span>
#include <string_view>

namespace flopsmith::ui {

/// The parts of a request that a kind of chart needs.
struct ChartNeeds
{
    bool model = true; ///< a scenario; without it the sizes of the claims
    bool hardware = false; ///< the peaks of a device
    bool times = false; ///< run times or roofs of a machine, without which the chart is empty
    bool axis = false; ///< a metric and the parameter of its x axis
    bool combinations = false; ///< metrics, and combined parameters
    bool twoLenses = false; ///< one to start from and one to end at
    bool designs = false; ///< at least one other design
};

/// The measurements of a chart, which decide whether its footer names a device.
enum class ChartMeasurements {
    none,
    times, ///< of the scenario's parts
    curves, ///< of other scenarios, along the axis
    claims,
};

/// The lens of a chart's operations.
enum class ChartLens {
    asked,
    exact, ///< with measured times, whichever lens is requested
    none, ///< it counts bytes, which are the same under every lens
};

/// One kind of chart.
struct ChartKind
{
    ChartId id = ChartId::share;
    std::string_view name; ///< on the command line, and of the demo's files
    const char* title = ""; ///< of its card, for Charts::tr()
    ChartNeeds needs{};
    ChartMeasurements draws = ChartMeasurements::none;
    ChartLens lens = ChartLens::asked;
    bool drawsOthers = false; ///< several designs; otherwise only the scenario
    bool hasScope = false; ///< it can be of a block or an FFN alone
    bool foldsStages = false; ///< those of composed FFNs, while it is of the whole model
    FigureResult (*make)(const FigureRequest& request) = nullptr;
};

/// All kinds, in the order of ChartId. A new chart is a row here and a folder of its own.
std::span<const ChartKind> chartKinds();

const ChartKind& chartKind(ChartId id);
std::optional<ChartId> chartKindNamed(std::string_view name);

/// The figure, with its provenance filled in: the same for the window, its exports and the command
/// line. Drawing it needs a QApplication, which may run on the offscreen platform. An error if the
/// request has no figure.
FigureResult figureFor(const FigureRequest& request);

} // namespace flopsmith::ui
