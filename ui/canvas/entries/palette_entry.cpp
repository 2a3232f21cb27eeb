// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/entries/palette_entry.h"

#include "core/model/pattern.h"
#include "core/model/stack_units.h"
#include "core/present/base/ffn_title.h"
#include "core/present/stack/stack.h"
#include "ui/document/block_move.h"
#include "ui/document/layer_limit.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/explain/explanation_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace flopsmith::ui {
namespace {

const QString kMimeType = QStringLiteral("application/x-flopsmith-variant");

QString translated(const char* source)
{
    return QCoreApplication::translate("Palette", source);
}

QString titleOf(const FfnSpec& ffn)
{
    return QString::fromStdString(ffnTitle(ffn));
}

PaletteEntry entry(PaletteKind kind,
                   const char* prefix,
                   const QString& title,
                   const VariantInfo& variant,
                   std::variant<MixerSpec, FfnSpec> spec)
{
    return {kind,
            QLatin1String(prefix) + fromUtf8(variant.id),
            title,
            QStringLiteral("%1\n%2").arg(fromUtf8(variant.formula), fromUtf8(variant.help)),
            variant.component,
            std::move(spec),
            {QString(fromUtf8(variant.id)).replace(QLatin1Char('_'), QLatin1Char(' '))}};
}

// Leaving a part out comes last, because it is the rarest choice.
void moveAbsenceToTheEnd(std::vector<PaletteEntry>& all)
{
    std::stable_sort(all.begin(), all.end(), [](const PaletteEntry& a, const PaletteEntry& b) {
        const auto rank = [](const PaletteEntry& entry) {
            const bool absent = entry.key.endsWith(QLatin1String("/none"));
            return 2 * static_cast<int>(entry.kind) + (absent ? 1 : 0);
        };
        return rank(a) < rank(b);
    });
}

std::vector<PaletteEntry> madeEntries()
{
    std::vector<PaletteEntry> all;
    for (const MixerSpec& mixer : mixerPrototypes()) {
        all.push_back(
            entry(PaletteKind::mixer, "mixer/", fromUtf8(info(mixer).title), info(mixer), mixer));
    }
    for (const FfnSpec& ffn : ffnPrototypes()) {
        all.push_back(entry(PaletteKind::ffn, "ffn/", titleOf(ffn), info(ffn), ffn));
        if (holds_alternative<ComposedFfn>(ffn)) {
            all.back().names << QStringLiteral("UltraEfficientSparseFFN");
        }
    }
    for (const FfnSpec& ffn : ffnPrototypes()) {
        if (!holds_alternative<ComposedFfn>(ffn) && !holds_alternative<NoFfn>(ffn)) {
            all.push_back(entry(PaletteKind::stage, "stage/", titleOf(ffn), info(ffn), ffn));
        }
    }
    moveAbsenceToTheEnd(all);
    return all;
}

QString stepText(const PaletteEntry& entry)
{
    const bool stage = entry.kind == PaletteKind::stage;
    return (stage ? translated("Add stage %1") : translated("Put in %1")).arg(entry.title);
}

int runAbove(const Model& model, int gap)
{
    return model.runOf(std::max(gap - 1, 0));
}

int insertedBehind(Scenario& scenario, const PaletteEntry& entry, int run)
{
    return std::visit([&](const auto& spec) { return insertBlock(scenario, run, spec); },
                      entry.spec);
}

// Blocks with the entry like those of a run, before the run at `place`, in no pattern.
int insertedOutside(Scenario& scenario,
                    const PaletteEntry& entry,
                    int like,
                    int place,
                    int blocks = 1)
{
    Scenario copy = scenario;
    const int made = insertedBehind(copy, entry, like);
    const BlockRun added{.block = copy.model.runs.at(static_cast<std::size_t>(made)).block,
                         .repeat = blocks};
    return insertRunOutside(scenario.model, place, added);
}

QString insertionStep(const PaletteEntry& entry, int blocks)
{
    return blocks == 1 ? translated("Insert block with %1").arg(entry.title)
                       : translated("Insert %1 blocks with %2").arg(blocks).arg(entry.title);
}

// Splits the run above where the gap is inside it, unless the block is one more of its own.
int insertedAt(Scenario& scenario, const PaletteEntry& entry, int gap)
{
    const int above = runAbove(scenario.model, gap);
    if (patternOf(scenario.model, above) >= 0) { // the gap is behind the pattern, or before all
        const int below = scenario.model.runOf(gap);
        const int place = below < 0 ? static_cast<int>(scenario.model.runs.size()) : below;
        return insertedOutside(scenario, entry, above, place);
    }
    const int behind = insertedBehind(scenario, entry, above);
    if (behind == above || gap == scenario.model.firstBlock(behind)) {
        return behind;
    }
    if (gap == 0) {
        return moveRunTo(scenario, behind, 0);
    }
    scenario.model.splitBefore(gap);
    return moveRunTo(scenario, behind + 1, above + 1);
}

void putInto(Scenario& scenario, const PaletteEntry& entry, const std::vector<int>& runs)
{
    if (const auto* mixer = std::get_if<MixerSpec>(&entry.spec)) {
        replaceMixer(scenario, runs, *mixer);
    } else if (entry.kind == PaletteKind::stage) {
        addStage(scenario, runs, std::get<FfnSpec>(entry.spec));
    } else {
        replaceFfn(scenario, runs, std::get<FfnSpec>(entry.spec));
    }
}

} // namespace

const std::vector<PaletteEntry>& paletteEntries()
{
    static const std::vector<PaletteEntry> kEntries = madeEntries();
    return kEntries;
}

const PaletteEntry* paletteEntry(const QString& key)
{
    for (const PaletteEntry& candidate : paletteEntries()) {
        if (candidate.key == key) {
            return &candidate;
        }
    }
    return nullptr;
}

bool isInBlock(const Block& block, const PaletteEntry& entry)
{
    if (const auto* mixer = std::get_if<MixerSpec>(&entry.spec)) {
        return (readsSource(*mixer) ? block.cross : block.mixer).index() == mixer->index();
    }
    const auto& ffn = std::get<FfnSpec>(entry.spec);
    return holds_alternative<ComposedFfn>(ffn) ? block.ffn == ffn
                                               : block.ffn.index() == ffn.index();
}

QString whatIs(const PaletteEntry& entry)
{
    const bool isMixer = std::holds_alternative<MixerSpec>(entry.spec);
    const VariantInfo& variant =
        isMixer ? info(std::get<MixerSpec>(entry.spec)) : info(std::get<FfnSpec>(entry.spec));
    const Explanation* about =
        explanationOf((isMixer ? "mixer/" : "ffn/") + std::string(variant.id));
    return about == nullptr ? QString()
                            : explanationText(entry.title, fromUtf8(variant.formula), *about);
}

QString paletteHeading(PaletteKind kind)
{
    switch (kind) {
    case PaletteKind::mixer: return translated("Token mixers");
    case PaletteKind::ffn: return translated("Feed-forward");
    case PaletteKind::stage: return translated("Add as a stage");
    }
    return {};
}

bool canApply(const Scenario& scenario, const PaletteEntry& entry, int run)
{
    const auto* mixer = std::get_if<MixerSpec>(&entry.spec);
    return mixer == nullptr || hasPlaceFor(scenario, run, *mixer);
}

bool canApply(const Scenario& scenario, const PaletteEntry& entry, const std::vector<int>& runs)
{
    return std::all_of(
        runs.begin(), runs.end(), [&](int run) { return canApply(scenario, entry, run); });
}

bool canAppend(const Scenario& scenario, const PaletteEntry& entry)
{
    const auto* mixer = std::get_if<MixerSpec>(&entry.spec);
    return mixer == nullptr || !readsSource(*mixer) || scenario.model.hasEncoder();
}

QString whyNotAppended(const Scenario& scenario, const PaletteEntry& entry)
{
    return canAppend(scenario, entry)
        ? QString()
        : translated("%1 looks at an encoder's output, and this model has no encoder blocks.")
              .arg(entry.title);
}

QString whyNotApplied(const Scenario& scenario, const PaletteEntry& entry, int run)
{
    if (canApply(scenario, entry, run)) {
        return {};
    }
    const QString noEncoder = whyNotAppended(scenario, entry);
    return noEncoder.isEmpty()
        ? translated("%1 looks at an encoder's output: it belongs into decoder blocks.")
              .arg(entry.title)
        : noEncoder;
}

QString whyNotApplied(const Scenario& scenario,
                      const PaletteEntry& entry,
                      const std::vector<int>& runs)
{
    for (const int run : runs) {
        if (!canApply(scenario, entry, run)) {
            return whyNotApplied(scenario, entry, run);
        }
    }
    return {};
}

void applyEntry(Document& document, const PaletteEntry& entry, int run, Extent extent)
{
    if (!canApply(document.scenario(), entry, run)) {
        return;
    }
    document.apply(stepText(entry), [&](DocumentState& state) {
        const int target = isolated(state.scenario, run, extent);
        putInto(state.scenario, entry, {target});
        state.selection = Selection::ofRun(target);
    });
}

void applyEntry(Document& document, const PaletteEntry& entry)
{
    const std::vector<int> runs = document.selection().runs();
    if (!runs.empty() && canApply(document.scenario(), entry, runs)) {
        document.apply(stepText(entry),
                       [&](DocumentState& state) { putInto(state.scenario, entry, runs); });
    }
}

void appendEntry(Document& document, const PaletteEntry& entry)
{
    if (!canAppend(document.scenario(), entry)) {
        return;
    }
    if (const QString why = whyTooManyLayers(document.model(), 1); !why.isEmpty()) {
        document.refuse(why);
        return;
    }
    document.apply(translated("Add block with %1").arg(entry.title), [&](DocumentState& state) {
        const int run = std::visit(
            [&](const auto& spec) { return appendBlock(state.scenario, spec); }, entry.spec);
        state.selection = Selection::ofRun(run);
    });
}

void insertEntry(Document& document, const PaletteEntry& entry, int run, int blocks)
{
    if (!canApply(document.scenario(), entry, run)) {
        return;
    }
    document.apply(insertionStep(entry, blocks), [&](DocumentState& state) {
        const int before = state.scenario.model.runs.at(static_cast<std::size_t>(run)).repeat;
        const int inserted = insertedBehind(state.scenario, entry, run);
        // Equal blocks make the run longer.
        setRepeat(state.scenario, inserted, inserted == run ? before + blocks : blocks);
        state.selection = Selection::ofRun(inserted);
    });
}

void insertEntryBehindPattern(Document& document,
                              const PaletteEntry& entry,
                              int pattern,
                              int blocks)
{
    const int end = document.model().patterns.at(static_cast<std::size_t>(pattern)).end();
    if (!canApply(document.scenario(), entry, end - 1)) {
        return;
    }
    document.apply(insertionStep(entry, blocks), [&](DocumentState& state) {
        state.selection =
            Selection::ofRun(insertedOutside(state.scenario, entry, end - 1, end, blocks));
    });
}

void insertEntryAt(Document& document, const PaletteEntry& entry, int gap)
{
    if (!whyNotInserted(document.scenario(), entry, gap).isEmpty()) {
        return;
    }
    document.apply(insertionStep(entry, 1), [&](DocumentState& state) {
        state.selection = Selection::ofRun(insertedAt(state.scenario, entry, gap));
    });
}

QString whyNotInserted(const Scenario& scenario, const PaletteEntry& entry, int gap)
{
    if (isInsidePattern(scenario.model, gap)) {
        return whyNotInsidePattern();
    }
    const QString why = whyNotApplied(scenario, entry, runAbove(scenario.model, gap));
    return why.isEmpty() ? whyTooManyLayers(scenario.model, 1) : why;
}

QString insertionText(const Scenario& scenario, const PaletteEntry& entry, int gap)
{
    return translated("Insert a block with %1 %2").arg(entry.title, gapText(scenario.model, gap));
}

std::unique_ptr<QMimeData> mimeData(const PaletteEntry& entry)
{
    auto mime = std::make_unique<QMimeData>();
    mime->setData(kMimeType, entry.key.toUtf8());
    return mime;
}

const PaletteEntry* paletteEntry(const QMimeData& mime)
{
    return paletteEntry(QString::fromUtf8(mime.data(kMimeType)));
}

} // namespace flopsmith::ui
