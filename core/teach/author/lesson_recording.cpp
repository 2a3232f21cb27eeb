// SPDX-License-Identifier: MIT
#include "core/teach/author/lesson_recording.h"

#include "core/base/printable.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_lookup.h"
#include "core/parameter/validation.h"
#include "core/teach/expression/cost_parts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace flopsmith {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

void takeHiddenValues(Scenario& made,
                      const Scenario& wanted,
                      const std::vector<Parameter>& parameters)
{
    for (const Parameter& parameter : parameters) {
        if (!parameter.applies(wanted)) {
            parameter.assign(made, parameter.value(wanted));
        }
    }
}

// Whether the parameters that the key means have another value in the design.
bool differs(const Scenario& design, std::string_view key, const FieldValue& wanted)
{
    const std::vector<Parameter> found = matchingParameters(design, key);
    return std::any_of(found.begin(), found.end(), [&](const Parameter& parameter) {
        return parameter.value(design) != wanted;
    });
}

// The parameter's own name if all parameters of that name have one value, otherwise the key of its
// run.
std::string shortestKey(const Scenario& design, const Parameter& parameter)
{
    const std::string whole = keyOfWholeRun(design, parameter);
    const std::string own(parameter.text.key);
    if (whole.ends_with("].repeat") || matchingParameters(design, own).empty()) {
        return whole;
    }
    return differs(design, own, parameter.value(design)) ? whole : own;
}

/// Looks for the parameters that make one design of another.
class SettingsSearch
{
public:
    SettingsSearch(Scenario from, const Scenario& wanted)
        : m_from(std::move(from))
        , m_wanted(wanted)
        , m_made(m_from)
    {
        m_wanted.model.joinEqualRuns();
    }

    /// Nothing if there are none, or more than a lesson allows.
    std::optional<Settings> settings()
    {
        constexpr int kPasses = 3; // a parameter may apply only after a later one was set
        for (int pass = 0; pass < kPasses && m_settings.size() <= kMaxLessonSettings; ++pass) {
            m_changed = false;
            setAll();
            if (!m_changed) {
                break;
            }
        }
        if (!isSameLessonDesign(m_made, m_wanted)) {
            return std::nullopt;
        }
        dropNeedless();
        return m_settings.size() <= kMaxLessonSettings ? std::optional(m_settings) : std::nullopt;
    }

    /// The first blocks that still differ from the wanted ones, "blocks[3-5]"; empty if none does.
    std::string otherBlocks() const
    {
        for (int run = 0; run < static_cast<int>(m_wanted.model.runs.size()); ++run) {
            if (!hasBlocksLike(run)) {
                const int first = m_wanted.model.firstBlock(run);
                const int repeat = m_wanted.model.runs[static_cast<std::size_t>(run)].repeat;
                return "blocks[" + std::to_string(first)
                    + (repeat > 1 ? "-" + std::to_string(first + repeat - 1) : "") + "]";
            }
        }
        return {};
    }

private:
    void setAll()
    {
        set(workloadParameters());
        set(*modelParameterList());
        for (int run = 0; run < static_cast<int>(m_wanted.model.runs.size()); ++run) {
            if (!hasBlocksOf(run)) {
                set(*blockParameterList(m_wanted, run));
            }
        }
        set(workloadParameters()); // the legal phases depend on the model
    }

    // Whether all blocks of a run of the wanted design are there already, and no others with them.
    bool hasBlocksOf(int run) const
    {
        const Model& made = m_made.model;
        const BlockRun& wanted = m_wanted.model.runs[static_cast<std::size_t>(run)];
        const int there = made.runOf(m_wanted.model.firstBlock(run));
        return there >= 0 && made.firstBlock(there) == m_wanted.model.firstBlock(run)
            && made.runs[static_cast<std::size_t>(there)] == wanted;
    }

    // Whether all blocks of a run of the wanted design exist, in any runs.
    bool hasBlocksLike(int run) const
    {
        const Model& made = m_made.model;
        const BlockRun& wanted = m_wanted.model.runs[static_cast<std::size_t>(run)];
        const int first = m_wanted.model.firstBlock(run);
        for (int block = first; block < first + wanted.repeat; ++block) {
            const int there = made.runOf(block);
            if (there < 0 || made.runs[static_cast<std::size_t>(there)].block != wanted.block) {
                return false;
            }
        }
        return true;
    }

    void set(const std::vector<Parameter>& parameters)
    {
        for (const Parameter& parameter : parameters) {
            if (m_settings.size() > kMaxLessonSettings) {
                return;
            }
            if (!parameter.applies(m_wanted)) {
                continue;
            }
            const FieldValue value = parameter.value(m_wanted);
            const std::string key = shortestKey(m_wanted, parameter);
            if (key.ends_with("].repeat") && m_made.model.layers() == m_wanted.model.layers()) {
                continue; // setting other parameters of some blocks splits their run
            }
            if (differs(m_made, key, value)) {
                take(key, valueText(value));
            }
        }
    }

    void take(const std::string& key, const std::string& text)
    {
        if (setParameter(m_made, key, text)) {
            std::erase_if(m_settings, [&key](const auto& setting) { return setting.first == key; });
            m_settings.emplace_back(key, text);
            m_changed = true;
        }
    }

    void dropNeedless()
    {
        for (std::size_t i = m_settings.size(); i-- > 0;) {
            Settings fewer = m_settings;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (makes(fewer)) {
                m_settings = std::move(fewer);
            }
        }
    }

    bool makes(const Settings& settings) const
    {
        Scenario made = m_from;
        return std::all_of(settings.begin(),
                           settings.end(),
                           [&made](const auto& setting) {
                               return setParameter(made, setting.first, setting.second).ok();
                           })
            && isSameLessonDesign(made, m_wanted) && validated(made);
    }

    Scenario m_from;
    Scenario m_wanted;
    Scenario m_made;
    Settings m_settings;
    bool m_changed = false;
};

/// A design that settings can start from.
struct Base
{
    std::optional<std::string> preset{};
    Scenario scenario{};
};

// Start designs to try: the previous one, and presets; the preset of the wanted name comes first,
// also before the previous design if that has another name, then presets of the same width.
std::vector<Base> basesFor(const Scenario& before, const Scenario& wanted)
{
    std::vector<Base> named;
    std::vector<Base> alike;
    for (const Preset& preset : presets()) {
        Base base{std::string(preset.id), {preset.make(), before.workload}};
        base.scenario.workload.precision = preset.precision();
        if (base.scenario.model.name == wanted.model.name) {
            named.push_back(std::move(base));
        } else if (base.scenario.model.dModel == wanted.model.dModel) {
            alike.push_back(std::move(base));
        }
    }
    const bool keepsName = before.model.name == wanted.model.name;
    named.insert(keepsName ? named.begin() : named.end(), Base{std::nullopt, before});
    named.insert(named.end(), alike.begin(), alike.end());
    return named;
}

/// Assembles a change part by part, and collects what it cannot express.
class ChangeRecorder
{
public:
    ChangeRecorder(const LessonView& before, const LessonView& after)
        : m_before(before)
        , m_after(after)
    {}

    RecordedChange change()
    {
        recordFreeze();
        recordDesign();
        recordLens();
        recordPlace();
        recordSelection();
        return m_change;
    }

private:
    void lose(const std::string& sentence) { m_change.notRecorded.push_back(sentence); }
    const Scenario& wanted() const { return m_after.context.scenario; }
    const Scenario& from() const { return m_before.context.scenario; }

    // A step freezes the design that is there before its own change.
    void recordFreeze()
    {
        if (m_after.frozen == m_before.frozen) {
            return;
        }
        std::vector<Scenario> withOne = m_before.frozen;
        withOne.push_back(from());
        m_change.shown.freeze =
            isSameDesigns(m_after.frozen, withOne) && viewAfter(m_before, {.freeze = true}).ok();
        if (!m_change.shown.freeze) {
            lose("the frozen designs are not recorded: a step freezes the design of the step "
                 "before, "
                 "once");
        }
    }

    static bool isSameDesigns(const std::vector<Scenario>& some,
                              const std::vector<Scenario>& others)
    {
        return std::equal(
            some.begin(), some.end(), others.begin(), others.end(), isSameLessonDesign);
    }

    void recordDesign()
    {
        if (isSameLessonDesign(from(), wanted())) {
            loseName(from());
            return;
        }
        std::string otherBlocks;
        for (const Base& base : basesFor(from(), wanted())) {
            SettingsSearch search(base.scenario, wanted());
            if (const auto settings = search.settings(); settings && takeDesign(base, *settings)) {
                return;
            }
            otherBlocks = otherBlocks.empty() ? search.otherBlocks() : otherBlocks;
        }
        lose("the design is not recorded: no preset with at most "
             + std::to_string(kMaxLessonSettings) + " parameters makes "
             + (otherBlocks.empty() ? "it" : otherBlocks + " of it"));
    }

    bool takeDesign(const Base& base, const Settings& settings)
    {
        Shown candidate = m_change.shown;
        candidate.model = base.preset;
        candidate.set = settings;
        const Result<LessonView> made = viewAfter(m_before, candidate);
        if (!made || !isSameLessonDesign(made->context.scenario, wanted())) {
            return false;
        }
        m_change.shown = std::move(candidate);
        loseName(made->context.scenario);
        return true;
    }

    void loseName(const Scenario& made)
    {
        if (made.model.name != wanted().model.name) {
            lose("the name \"" + excerpt(wanted().model.name)
                 + "\" is not recorded: a lesson names a design after its preset");
        }
    }

    void recordLens()
    {
        if (m_after.context.lens != m_before.context.lens) {
            m_change.shown.lens = std::string(lens(m_after.context.lens).name);
        }
    }

    void recordPlace()
    {
        if (m_after.page != m_before.page) {
            tryWord(m_change.shown.page, m_after.page, "page");
        }
        if (m_after.zoom != m_before.zoom) {
            tryWord(m_change.shown.zoom, m_after.zoom, "zoom");
        }
    }

    void tryWord(std::optional<std::string>& word, const std::string& value, const char* what)
    {
        word = value;
        if (!viewAfter(m_before, m_change.shown)) {
            word.reset();
            lose(std::string("the ") + what + " \"" + excerpt(value)
                 + "\" is not recorded: a lesson has none of that name");
        }
    }

    void recordSelection()
    {
        const Result<LessonView> made = viewAfter(m_before, m_change.shown);
        if (!made || made->select == m_after.select) {
            return;
        }
        m_change.shown.select = m_after.select;
        const Result<LessonView> selected = viewAfter(m_before, m_change.shown);
        if (!selected || selected->select != m_after.select) {
            m_change.shown.select.reset();
            lose("the selected part \"" + excerpt(m_after.select)
                 + "\" is not recorded: the design of the step has none of that name");
        }
    }

    const LessonView& m_before;
    const LessonView& m_after;
    RecordedChange m_change;
};

} // namespace

bool isSameLessonDesign(const Scenario& made, const Scenario& wanted)
{
    Scenario one = made;
    Scenario other = wanted;
    one.model.name = other.model.name;
    one.model.joinEqualRuns();
    other.model.joinEqualRuns();
    takeHiddenValues(one, other, workloadParameters());
    takeHiddenValues(one, other, *modelParameterList());
    return one == other;
}

RecordedChange recordedChange(const LessonView& before, const LessonView& after)
{
    return ChangeRecorder(before, after).change();
}

} // namespace flopsmith
