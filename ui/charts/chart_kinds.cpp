// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_kinds.h"

#include "core/base/check.h"
#include "core/present/time/folded_stages.h"
#include "ui/charts/claims/claims_figure.h"
#include "ui/charts/compare/compare_figure.h"
#include "ui/charts/heat/heat_figure.h"
#include "ui/charts/memory/memory_figure.h"
#include "ui/charts/mislead/mislead_figure.h"
#include "ui/charts/narrowed_request.h"
#include "ui/charts/pareto/pareto_figure.h"
#include "ui/charts/provenance.h"
#include "ui/charts/roofline/roofline_figure.h"
#include "ui/charts/run_time/run_time_comparison_figure.h"
#include "ui/charts/scaling/scaling_figure.h"
#include "ui/charts/share/share_figure.h"
#include "ui/charts/waterfall/waterfall_figure.h"

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

using Draws = ChartMeasurements;

constexpr std::array<ChartKind, 11> kKinds{{
    {.id = ChartId::share,
     .name = "share",
     .title = QT_TRANSLATE_NOOP("Charts", "Share"),
     .draws = Draws::times,
     .drawsOthers = true,
     .hasScope = true,
     .foldsStages = true,
     .make = shareFigure},
    {.id = ChartId::scaling,
     .name = "scaling",
     .title = QT_TRANSLATE_NOOP("Charts", "Scaling"),
     .needs = {.axis = true},
     .draws = Draws::curves,
     .drawsOthers = true,
     .hasScope = true,
     .make = scalingFigure},
    {.id = ChartId::runtime,
     .name = "runtime",
     .title = QT_TRANSLATE_NOOP("Charts", "Run time"),
     .needs = {.times = true},
     .draws = Draws::times,
     .lens = ChartLens::exact,
     .drawsOthers = true,
     .hasScope = true,
     .foldsStages = true,
     .make = runTimeFigure},
    {.id = ChartId::claims,
     .name = "claims",
     .title = QT_TRANSLATE_NOOP("Charts", "Claims"),
     .needs = {.model = false},
     .draws = Draws::claims,
     .lens = ChartLens::exact,
     .make = claimsFigure},
    {.id = ChartId::waterfall,
     .name = "waterfall",
     .title = QT_TRANSLATE_NOOP("Charts", "Waterfall"),
     .needs = {.twoLenses = true},
     .drawsOthers = true,
     .make = waterfallFigure},
    {.id = ChartId::memory,
     .name = "memory",
     .title = QT_TRANSLATE_NOOP("Charts", "Memory"),
     .lens = ChartLens::none,
     .drawsOthers = true,
     .make = memoryFigure},
    {.id = ChartId::roofline,
     .name = "roofline",
     .title = QT_TRANSLATE_NOOP("Charts", "Roofline"),
     .needs = {.hardware = true},
     .draws = Draws::times,
     .drawsOthers = true,
     .make = rooflineFigure},
    {.id = ChartId::mislead,
     .name = "mislead",
     .title = QT_TRANSLATE_NOOP("Charts", "Where FLOPs mislead"),
     .needs = {.times = true},
     .draws = Draws::times,
     .lens = ChartLens::exact,
     .make = misleadFigure},
    {.id = ChartId::compare,
     .name = "compare",
     .title = QT_TRANSLATE_NOOP("Charts", "Comparison"),
     .needs = {.designs = true},
     .drawsOthers = true,
     .make = compareFigure},
    {.id = ChartId::heat,
     .name = "heat",
     .title = QT_TRANSLATE_NOOP("Charts", "Heat map"),
     .needs = {.combinations = true},
     .hasScope = true,
     .make = heatFigure},
    {.id = ChartId::pareto,
     .name = "pareto",
     .title = QT_TRANSLATE_NOOP("Charts", "Pareto front"),
     .needs = {.combinations = true},
     .hasScope = true,
     .make = paretoFigure},
}};

} // namespace

std::span<const ChartKind> chartKinds()
{
    return kKinds;
}

const ChartKind& chartKind(ChartId id)
{
    const auto found = std::find_if(
        kKinds.begin(), kKinds.end(), [id](const ChartKind& kind) { return kind.id == id; });
    FLOPSMITH_CHECK(found != kKinds.end());
    return *found;
}

std::optional<ChartId> chartKindNamed(std::string_view name)
{
    const auto found = std::find_if(
        kKinds.begin(), kKinds.end(), [name](const ChartKind& kind) { return kind.name == name; });
    return found == kKinds.end() ? std::nullopt : std::optional(found->id);
}

FigureResult figureFor(const FigureRequest& request)
{
    const ChartKind& kind = chartKind(request.kind);
    const bool isOfPart = kind.hasScope && !request.scope.isModel();
    if (isOfPart && !hasScope(request.scenario.model, request.scope)) {
        return Error{"This block has no FFN."};
    }
    const bool folds = !isOfPart && kind.foldsStages && hasComposedFfn(request.scenario.model);
    FigureResult figure =
        isOfPart || folds ? NarrowedRequest(request).makeWith(kind.make) : kind.make(request);
    if (figure) {
        figure.value()->provenance = provenanceOf(request);
    }
    return figure;
}

} // namespace flopsmith::ui
