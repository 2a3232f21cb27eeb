// SPDX-License-Identifier: MIT
#include "core/teach/play/lesson_view.h"

#include "core/base/printable.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/model/tree_path.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"
#include "core/teach/expression/cost_parts.h"

namespace flopsmith {
namespace {

constexpr std::size_t kMaxFrozen = 8;

Status takeModel(LessonView& view, const std::optional<std::string>& id)
{
    if (!id) {
        return Done{};
    }
    const Preset* preset = findPreset(*id);
    if (preset == nullptr) {
        return Error{"there is no preset \"" + excerpt(*id) + "\"; flopsmith presets lists them"};
    }
    view.context.scenario.model = preset->make();
    view.context.scenario.workload.precision = preset->precision();
    return Done{};
}

Status takeSettings(Scenario& scenario, const Shown& shown)
{
    for (const auto& [key, text] : shown.set) {
        if (const Status done = setParameter(scenario, parameterKey(key), text); !done) {
            return Error{"set " + done.error().message};
        }
    }
    if (scenario.model.runs.size() > kMaxLessonRuns) {
        return Error{"set: the design has too many different blocks for a lesson"};
    }
    const Status legal = validated(scenario);
    return legal ? legal : Error{"set " + legal.error().message};
}

Status takeLens(LessonView& view, const std::optional<std::string>& name)
{
    if (!name) {
        return Done{};
    }
    const std::optional<LensId> id = lensNamed(*name);
    if (!id) {
        return Error{"there is no lens \"" + excerpt(*name) + "\"; flopsmith lenses lists them"};
    }
    view.context.lens = *id;
    return Done{};
}

Status takePage(LessonView& view, const std::optional<std::string>& page)
{
    if (!page) {
        return Done{};
    }
    if (!isLessonPage(*page)) {
        std::string known;
        for (const LessonPage& each : lessonPages()) {
            known += (known.empty() ? "" : ", ") + std::string(each.id);
        }
        return Error{"there is no page \"" + excerpt(*page) + "\"; known are " + known};
    }
    view.page = *page;
    return Done{};
}

Status takeZoom(LessonView& view, const std::optional<std::string>& zoom)
{
    if (zoom && *zoom != "model" && *zoom != "selection" && *zoom != "inside") {
        return Error{"there is no zoom \"" + excerpt(*zoom)
                     + "\"; known are model, selection, inside"};
    }
    view.zoom = zoom.value_or(view.zoom);
    return Done{};
}

// A path that the new model does not have any more is no longer selected.
Status takeSelection(LessonView& view, const std::optional<std::string>& select)
{
    const std::string wanted = select.value_or(view.select);
    if (wanted.empty()) {
        view.select.clear();
        return Done{};
    }
    const CostTree<Count> tree = costTree(view.context.scenario);
    std::string path = pathMeant(tree, wanted);
    if (path.empty()) { // outside of training there are no passes
        path = pathMeant(tree, withoutPass(wanted));
    }
    if (path.empty() && select) {
        return Error{"the model has no part \"" + excerpt(wanted) + "\" to select; it has "
                     + partNames(tree)};
    }
    view.select = std::move(path);
    return Done{};
}

bool changesDesign(const Shown& shown)
{
    return shown.model || !shown.set.empty();
}

Status freeze(LessonView& view)
{
    if (view.frozen.size() >= kMaxFrozen) {
        return Error{"more than " + std::to_string(kMaxFrozen) + " designs are frozen"};
    }
    view.frozen.push_back(view.context.scenario);
    return Done{};
}

Status take(LessonView& view, const Shown& shown)
{
    if (shown.freeze) {
        FLOPSMITH_RETURN_IF_ERROR(freeze(view));
    }
    FLOPSMITH_RETURN_IF_ERROR(takeModel(view, shown.model));
    if (changesDesign(shown)) {
        FLOPSMITH_RETURN_IF_ERROR(takeSettings(view.context.scenario, shown));
    }
    FLOPSMITH_RETURN_IF_ERROR(takeLens(view, shown.lens));
    FLOPSMITH_RETURN_IF_ERROR(takePage(view, shown.page));
    FLOPSMITH_RETURN_IF_ERROR(takeZoom(view, shown.zoom));
    return changesDesign(shown) || shown.select ? takeSelection(view, shown.select)
                                                : Status(Done{});
}

LessonView firstView()
{
    LessonView view;
    view.context.scenario.model = newModel();
    return view;
}

Error inPlace(const std::string& place, const Error& error)
{
    return {place + ": " + error.message};
}

} // namespace

Result<LessonView> viewAfter(const LessonView& view, const Shown& shown)
{
    LessonView next = view;
    FLOPSMITH_RETURN_IF_ERROR(take(next, shown));
    return next;
}

Result<LessonView> startViewOf(const Lesson& lesson)
{
    return viewAfter(firstView(), lesson.start);
}

ShownViews shownViews(const Lesson& lesson)
{
    ShownViews shown;
    Result<LessonView> view = startViewOf(lesson);
    if (!view) {
        shown.start = firstView();
        shown.problem = inPlace("start", view.error());
        shown.startIsShown = false;
        return shown;
    }
    shown.start = *view;
    for (const LessonStep& step : lesson.steps) {
        view = viewAfter(*view, step.show);
        if (!view) {
            shown.problem = inPlace("show", view.error());
            return shown;
        }
        Result<LessonView> revealed = viewAfter(*view, step.reveal);
        if (!revealed) {
            shown.problem = inPlace("reveal", revealed.error());
            return shown;
        }
        shown.steps.push_back({*view, std::move(*revealed)});
    }
    return shown;
}

Error ShownViews::placedProblem() const
{
    return startIsShown ? inPlace("step " + std::to_string(problemStep()), *problem) : *problem;
}

Result<std::vector<StepViews>> viewsOf(const Lesson& lesson)
{
    ShownViews shown = shownViews(lesson);
    if (shown.problem) {
        return shown.placedProblem();
    }
    return std::move(shown.steps);
}

} // namespace flopsmith
