// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/note/notes_through.h"
#include "ui/document/document.h"
#include "ui/document/selected_parameters.h"

#include <algorithm>
#include <utility>

// Setting parameters: gestures, dependent values, and notices.

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

} // namespace

// Copies the selected run to every run that was equal to it.
void Document::alignEqualBlocks(const Scenario& base, Scenario& changed) const
{
    const auto selected = static_cast<std::size_t>(selection().run);
    const Block& equal = base.model.runs.at(selected).block;
    for (std::size_t i = 0; i < base.model.runs.size(); ++i) {
        if (base.model.runs[i].block == equal) {
            changed.model.runs[i].block = Block(changed.model.runs[selected].block);
        }
    }
}

// Sets a parameter of several runs, on each as near to the value as is legal there; on equal blocks
// at once.
void Document::setOnRuns(DocumentState& state,
                         const std::vector<int>& runs,
                         const std::string& key,
                         const FieldValue& value)
{
    const Model before = state.scenario.model;
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

DocumentState Document::withParameter(const DocumentState& base,
                                      const std::vector<int>& runs,
                                      const Parameter& parameter,
                                      const FieldValue& value) const
{
    // Where it stands now: at the start of a gesture its block may have had another number.
    const ParameterPlace place = placeOf(scenario(), parameter);
    std::function<void(Scenario&)> copy;
    if (m_scope == EditScope::allEqual && belongsToBlocks(parameter) && selection().isRun()) {
        copy = [this, &base](Scenario& changed) { alignEqualBlocks(base.scenario, changed); };
    }
    DocumentState after = base;
    if (runs.empty()) {
        setWithRules(after.scenario, after.wishes, after.rules, parameter, value, copy);
    } else {
        setOnRuns(after, runs, place.key, value);
    }
    after.kept = keptThrough(base.kept, base.scenario.model, after.scenario.model);
    after.notes = carriedOver(base.notes, base.scenario.model, after.scenario.model);
    after.selection = selection();
    return after;
}

bool Document::setParameter(const Parameter& parameter, const FieldValue& value)
{
    return setParameter(runsToSet(selection(), placeOf(scenario(), parameter)), parameter, value);
}

bool Document::setParameter(const std::vector<int>& runs,
                            const Parameter& parameter,
                            const FieldValue& value)
{
    if (const Status can = settable(runs, parameter); !can) {
        refuse(QString::fromStdString(can.error().message));
        return false;
    }
    const ParameterPlace place = placeOf(scenario(), parameter);
    const std::string key = std::to_string(place.run) + '.' + place.key;
    const StatePtr base = m_history.baseOfChange(key);
    DocumentState after = withParameter(*base, runs, parameter, value);
    if (const Status kept = keepLocks(after.scenario, after.rules); !kept) {
        refuse(QString::fromStdString(kept.error().message));
        return false;
    }
    const bool taken = push(tr("Set %1").arg(labelOf(parameter)), std::move(after), {});
    const std::string others = correctionsText(base->scenario, runs, place, value);
    const std::string dependents =
        dependentsText(base->scenario, base->wishes, scenario(), parameter, rules());
    setNotice({joined(QString::fromStdString(others), QString::fromStdString(dependents)), {}});
    return taken;
}

void Document::enterParameter(const Parameter& parameter, const FieldValue& typed)
{
    const ClassLock* lock = classLockOf(m_classLocks.held(), parameter);
    const FieldValue bounded = lock == nullptr ? typed : withinBounds(*lock, typed);
    if (bounded != typed) {
        const QString bounds =
            QString::fromStdString(classLockText(*lock)); // before the locks move
        enterParameter(parameter, bounded);
        setNotice({joined(bounds, m_notice.text), m_notice.alternative});
        return;
    }
    const std::optional<Correction> corrected =
        canEnter(parameter, typed) ? std::nullopt : correction(scenario(), parameter, typed);
    const bool taken = setParameter(parameter, corrected ? corrected->taken : typed);
    if (taken && corrected) {
        const bool several = !runsToSet(selection(), placeOf(scenario(), parameter)).empty();
        setNotice({joined(QString::fromStdString(corrected->sentence), m_notice.text),
                   several ? std::nullopt : corrected->alternative}); // which is of one run
    }
}

// "4*d_model", once and not as a tie; or else it is refused.
void Document::enterText(const Parameter& parameter, const QString& typed)
{
    const ParameterPlace place = placeOf(scenario(), parameter);
    const Result<Tie> tie = parsedTie(parameter.key, typed.toStdString());
    const Result<Parameter> source =
        tie ? sourceOf(scenario(), place, tie->source) : Result<Parameter>(tie.error());
    const FieldValue value = parameter.value(scenario());
    if (source) {
        const double number = tiedNumber(*tie, source->value(scenario()));
        enterParameter(parameter, ofItsKind(parameter, scenario(), number));
        return;
    }
    const QString kind =
        std::holds_alternative<double>(value) ? tr("a number") : tr("a whole number");
    setNotice({tr("\u201C%1\u201D is not %2: %3 stays %4")
                   .arg(typed, kind, labelOf(parameter), QString::fromStdString(valueText(value))),
               {}});
}

void Document::takeAlternative()
{
    if (m_notice.alternative) {
        const Alternative chosen = *m_notice.alternative;
        apply(tr("Set %1").arg(QString::fromStdString(chosen.text)),
              [&chosen](DocumentState& state) { state.scenario = chosen.scenario; });
    }
}

void Document::setNotice(Notice notice)
{
    if (notice != m_notice) {
        m_notice = std::move(notice);
        Q_EMIT noticeChanged();
    }
}

} // namespace flopsmith::ui
