// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/edits/parameter_edit.h"

#include "core/note/notes_through.h"
#include "core/parameter/validation.h"
#include "ui/document/document.h"
#include "ui/document/selected_parameters.h"

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

bool belongsToBlocks(const Parameter& parameter)
{
    return parameter.key.rfind("blocks[", 0) == 0;
}

QString labelOf(const Parameter& parameter)
{
    return QString::fromUtf8(parameter.text.label.data(),
                             static_cast<qsizetype>(parameter.text.label.size()));
}

QString joined(const QString& first, const QString& second)
{
    return first.isEmpty() || second.isEmpty() ? first + second
                                               : first + QStringLiteral(" \u00B7 ") + second;
}

// Whether only the block itself decides what is legal, so that equal blocks take the same value.
bool isOfBlockAlone(const Parameter& parameter)
{
    return parameter.scope.part != ParameterScope::Part::run
        && parameter.scope.part != ParameterScope::Part::halves;
}

const Block& blockIn(const Model& model, int run)
{
    return model.runs.at(static_cast<std::size_t>(run)).block;
}

void copyBlock(Model& model, int from, const std::vector<int>& to)
{
    const Block block = blockIn(model, from);
    for (const int run : to) {
        model.runs.at(static_cast<std::size_t>(run)).block = block;
        alignRepeats(model, run);
    }
}

// Copies the selected run to every run that was equal to it.
void alignEqualBlocks(int run, const Scenario& base, Scenario& changed)
{
    const auto selected = static_cast<std::size_t>(run);
    const Block& equal = base.model.runs.at(selected).block;
    for (std::size_t i = 0; i < base.model.runs.size(); ++i) {
        if (base.model.runs[i].block == equal) {
            changed.model.runs[i].block = Block(changed.model.runs[selected].block);
        }
    }
}

// Sets a parameter of several runs, on each as near to the value as is legal there; on equal blocks
// at once.
void setOnRuns(DocumentState& state,
               const Model& before,
               const std::vector<int>& runs,
               const std::string& key,
               const FieldValue& value)
{
    std::vector<int> left = runs;
    while (!left.empty()) {
        const int run = left.front();
        const auto parameter = parameterAt(state.scenario, {run, key});
        const auto rest = std::stable_partition(left.begin(), left.end(), [&](int other) {
            return other == run
                || (parameter && isOfBlockAlone(*parameter)
                    && blockIn(before, other) == blockIn(before, run));
        });
        const std::vector<int> alike(left.begin(), rest);
        left.erase(left.begin(), rest);
        if (parameter) {
            setWithRules(state.scenario,
                         state.wishes,
                         state.rules,
                         *parameter,
                         possibleValue(state.scenario, *parameter, value),
                         [&](Scenario& changed) { copyBlock(changed.model, run, alike); });
        }
    }
}

DocumentState withParameter(const Document& document,
                            const DocumentState& base,
                            const std::vector<int>& runs,
                            const Parameter& parameter,
                            const FieldValue& value)
{
    const Selection& selection = document.selection();
    // Where it stands now: at the start of a gesture its block may have had another number.
    const ParameterPlace place = placeOf(document.scenario(), parameter);
    std::function<void(Scenario&)> copy;
    if (document.editScope() == EditScope::allEqual && belongsToBlocks(parameter)
        && selection.isRun()) {
        copy = [&](Scenario& changed) { alignEqualBlocks(selection.run, base.scenario, changed); };
    }
    DocumentState after = base;
    if (runs.empty()) {
        setWithRules(after.scenario, after.wishes, after.rules, parameter, value, copy);
    } else {
        setOnRuns(after, base.scenario.model, runs, place.key, value);
    }
    after.kept = keptThrough(base.kept, base.scenario.model, after.scenario.model);
    after.notes = carriedOver(base.notes, base.scenario.model, after.scenario.model);
    after.selection = selection;
    return after;
}

Status settableOn(const Document& document,
                  const std::vector<int>& runs,
                  const Parameter& parameter)
{
    FLOPSMITH_RETURN_IF_ERROR(allowsSetting(document.classLocks().held(), parameter));
    const ParameterPlace place = placeOf(document.scenario(), parameter);
    const std::vector<int> own{place.run};
    for (const int run : runs.empty() ? own : runs) {
        FLOPSMITH_RETURN_IF_ERROR(
            settable(document.rules(), document.scenario(), {run, place.key}));
    }
    return Done{};
}

std::vector<int> runsToSet(const Document& document, const Parameter& parameter)
{
    return runsToSet(document.selection(), placeOf(document.scenario(), parameter));
}

// Whether ties make a value legal that would not be with the followers as they are.
bool canEnter(const Document& document, const Parameter& parameter, const FieldValue& typed)
{
    const std::vector<int> runs = runsToSet(document, parameter);
    if (document.rules().ties.empty() || !runs.empty() || !settableOn(document, runs, parameter)) {
        return false;
    }
    const DocumentState after = withParameter(document, document.state(), runs, parameter, typed);
    return parameter.value(after.scenario) == typed && validated(after.scenario).ok();
}

} // namespace

bool setParameter(Document& document, const Parameter& parameter, const FieldValue& value)
{
    return setParameter(document, runsToSet(document, parameter), parameter, value);
}

bool setParameter(Document& document,
                  const std::vector<int>& runs,
                  const Parameter& parameter,
                  const FieldValue& value)
{
    if (const Status can = settableOn(document, runs, parameter); !can) {
        document.refuse(QString::fromStdString(can.error().message));
        return false;
    }
    const ParameterPlace place = placeOf(document.scenario(), parameter);
    const std::string key = std::to_string(place.run) + '.' + place.key;
    const StatePtr base = document.history().baseOfChange(key);
    DocumentState after = withParameter(document, *base, runs, parameter, value);
    if (const Status kept = keepLocks(after.scenario, after.rules); !kept) {
        document.refuse(QString::fromStdString(kept.error().message));
        return false;
    }
    const bool taken =
        document.push(Document::tr("Set %1").arg(labelOf(parameter)), std::move(after), {});
    const std::string others = correctionsText(base->scenario, runs, place, value);
    const std::string dependents = dependentsText(
        base->scenario, base->wishes, document.scenario(), parameter, document.rules());
    document.setNotice(
        {joined(QString::fromStdString(others), QString::fromStdString(dependents)), {}});
    return taken;
}

void enterParameter(Document& document, const Parameter& parameter, const FieldValue& typed)
{
    const ClassLock* lock = classLockOf(document.classLocks().held(), parameter);
    const FieldValue bounded = lock == nullptr ? typed : withinBounds(*lock, typed);
    if (bounded != typed) {
        const QString bounds =
            QString::fromStdString(classLockText(*lock)); // before the locks move
        enterParameter(document, parameter, bounded);
        document.setNotice({joined(bounds, document.notice().text), document.notice().alternative});
        return;
    }
    const std::optional<Correction> corrected = canEnter(document, parameter, typed)
        ? std::nullopt
        : correction(document.scenario(), parameter, typed);
    const bool taken = setParameter(document, parameter, corrected ? corrected->taken : typed);
    if (taken && corrected) {
        const bool several = !runsToSet(document, parameter).empty();
        document.setNotice(
            {joined(QString::fromStdString(corrected->sentence), document.notice().text),
             several ? std::nullopt : corrected->alternative}); // which is of one run
    }
}

// "4*d_model", once and not as a tie; or else it is refused.
void enterText(Document& document, const Parameter& parameter, const QString& typed)
{
    const ParameterPlace place = placeOf(document.scenario(), parameter);
    const Result<Tie> tie = parsedTie(parameter.key, typed.toStdString());
    const Result<Parameter> source =
        tie ? sourceOf(document.scenario(), place, tie->source) : Result<Parameter>(tie.error());
    const FieldValue value = parameter.value(document.scenario());
    if (source) {
        const double number = tiedNumber(*tie, source->value(document.scenario()));
        enterParameter(document, parameter, ofItsKind(parameter, document.scenario(), number));
        return;
    }
    const QString kind = std::holds_alternative<double>(value) ? Document::tr("a number")
                                                               : Document::tr("a whole number");
    document.setNotice(
        {Document::tr("\u201C%1\u201D is not %2: %3 stays %4")
             .arg(typed, kind, labelOf(parameter), QString::fromStdString(valueText(value))),
         {}});
}

void takeAlternative(Document& document)
{
    if (document.notice().alternative) {
        const Alternative chosen = *document.notice().alternative;
        document.apply(Document::tr("Set %1").arg(QString::fromStdString(chosen.text)),
                       [&chosen](DocumentState& state) { state.scenario = chosen.scenario; });
    }
}

} // namespace flopsmith::ui
