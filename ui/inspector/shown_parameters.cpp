// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/shown_parameters.h"

#include "ui/document/selected_parameters.h"
#include "ui/widgets/values/parameter_editor.h"

#include <algorithm>
#include <iterator>

namespace flopsmith::ui {
namespace {

constexpr std::string_view kRepeat = "repeat";

// The groups of the model's own parameters that belong to a part outside the blocks.
bool isShownWith(Selection::Part part, const std::string& group)
{
    switch (part) {
    case Selection::Part::run: return group == "Model";
    case Selection::Part::embedding: return group == "Model" || group == "Embedding";
    case Selection::Part::encoderNorm: return group == "Model" || group == "Encoder norm";
    case Selection::Part::finalNorm: return group == "Model" || group == "Final norm";
    case Selection::Part::head: return group == "Model" || group == "Head";
    }
    return false;
}

void append(std::vector<Parameter>& all, std::vector<Parameter> more)
{
    std::move(more.begin(), more.end(), std::back_inserter(all));
}

// Orders the FFN first, stages before their composition, because these are edited most. The length
// of the run is among the model's parameters, unless it equals the number of layers, which is there
// already.
std::vector<Parameter> shownBlockParameters(const Scenario& scenario, int run)
{
    std::vector<Parameter> all = blockParameters(scenario, run);
    const auto rank = [](const Parameter& parameter) {
        const QString key = keyInBlock(parameter);
        const bool stage = key.count(QLatin1Char('.')) > 2;
        return parameter.text.key == kRepeat                ? 0
            : stage                                         ? 1
            : key.startsWith(QLatin1String("block.ffn."))   ? 2
            : key.startsWith(QLatin1String("block.mixer.")) ? 3
                                                            : 4;
    };
    std::stable_sort(all.begin(), all.end(), [&rank](const Parameter& a, const Parameter& b) {
        return rank(a) < rank(b);
    });
    if (scenario.model.runs.size() == 1) {
        all.erase(all.begin());
    } else {
        all.front().group = "Model";
    }
    return all;
}

} // namespace

std::vector<Parameter> shownParameters(const Scenario& scenario, const Selection& selection)
{
    std::vector<Parameter> shown;
    const ParameterList ofModel = modelParameterList();
    for (const Parameter& parameter : *ofModel) {
        if (isShownWith(selection.part, parameter.group)) {
            shown.push_back(parameter);
        }
    }
    if (selection.part == Selection::Part::embedding) {
        append(shown, workloadParameters());
    }
    if (selection.isRun()) {
        append(shown, shownBlockParameters(scenario, selection.run));
    }
    if (selection.isSeveral()) {
        shown.erase(std::remove_if(shown.begin(),
                                   shown.end(),
                                   [&](const Parameter& parameter) {
                                       return !isOfAll(scenario, selection, parameter);
                                   }),
                    shown.end());
    }
    return shown;
}

} // namespace flopsmith::ui
