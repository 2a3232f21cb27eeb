// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/entries/phrase_entries.h"

#include "core/model/repeated_runs.h"
#include "core/parameter/parameter_table.h"
#include "core/present/base/word_match.h"
#include "core/present/stack/stack_phrase.h"
#include "ui/canvas/entries/palette_entry.h"
#include "ui/document/layer_limit.h"
#include "ui/document/run_access.h"
#include "ui/document/scenario_edit.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

QString phraseText(const char* source)
{
    return QCoreApplication::translate("PhraseEntries", source);
}

// "Blocks 4, 8, 12"
QString capitalBlocks(const std::vector<int>& blocks)
{
    QString text = QString::fromStdString(blocksText(blocks));
    text[0] = text[0].toUpper();
    return text;
}

std::vector<int> runsOf(const Model& model, const std::vector<int>& blocks)
{
    std::vector<int> runs;
    int end = 0;
    auto block = blocks.begin();
    for (std::size_t run = 0; run < model.runs.size() && block != blocks.end(); ++run) {
        end += model.runs[run].repeat;
        if (*block < end) {
            runs.push_back(static_cast<int>(run));
        }
        block = std::lower_bound(block, blocks.end(), end);
    }
    return runs;
}

// In runs of chosen blocks. Equal blocks change alike, so each kind of them is changed once.
void replaceInRuns(Scenario& scenario, const PaletteEntry& entry, const std::vector<int>& runs)
{
    std::vector<std::pair<Block, Block>> changed;
    for (const int run : runs) {
        const Block before = runAt(scenario, run).block;
        const auto same = std::find_if(changed.begin(), changed.end(), [&before](const auto& pair) {
            return pair.first == before;
        });
        if (same != changed.end()) {
            runAt(scenario, run).block = same->second;
            continue;
        }
        if (const auto* mixer = std::get_if<MixerSpec>(&entry.spec)) {
            replaceMixer(scenario, run, *mixer);
        } else {
            replaceFfn(scenario, run, std::get<FfnSpec>(entry.spec));
        }
        changed.emplace_back(before, runAt(scenario, run).block);
    }
    repair(scenario);
}

Selection selectionOf(const Model& model, const std::vector<int>& blocks)
{
    std::vector<int> shown;
    for (const int run : runsOf(model, blocks)) {
        shown.push_back(shownRun(model, run));
    }
    std::sort(shown.begin(), shown.end());
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    return Selection::ofRuns(shown, shown.front());
}

/// An entry for some blocks.
struct Replacement
{
    const PaletteEntry* entry = nullptr;
    std::vector<int> blocks;
};

void replaceBlocks(DocumentState& state, const Replacement& replacement)
{
    Model& model = state.scenario.model;
    const std::vector<int>& blocks = replacement.blocks;
    const BlockStretch around = unitsAround(model, blocks);
    separateBlocks(model, blocks);
    replaceInRuns(state.scenario, *replacement.entry, runsOf(model, blocks));
    regroupBlocks(model, around.first, around.last);
    state.selection = selectionOf(model, blocks);
}

// Why the blocks of these runs cannot get the entry, as a sentence.
QString whyNotReplaced(const Scenario& scenario,
                       const PaletteEntry& entry,
                       const std::vector<int>& runs)
{
    const bool haveIt = std::all_of(runs.begin(), runs.end(), [&](int run) {
        return isInBlock(runAt(scenario, run).block, entry);
    });
    return haveIt ? phraseText("All of these blocks have it already.")
                  : whyNotApplied(scenario, entry, runs);
}

QString replacementText(const PaletteEntry& entry, const std::vector<int>& blocks)
{
    const bool isOne = blocks.size() == 1;
    const QString text = entry.kind == PaletteKind::mixer
        ? (isOne ? phraseText("%1 gets %2 as its mixer.") : phraseText("%1 get %2 as their mixer."))
        : (isOne ? phraseText("%1 becomes %2.") : phraseText("%1 become %2."));
    return text.arg(capitalBlocks(blocks), entry.title);
}

TypedEntry refusedRow(const QString& title, const std::string& why)
{
    TypedEntry row;
    row.title = title;
    row.refusal = QString::fromStdString(why);
    return row;
}

std::string nothingCalled(const std::string& words)
{
    return "No FFN and no mixer is called “" + words + "”.";
}

// In all repeats of their patterns; all blocks if none are selected.
std::vector<int> selectedBlocks(const Document& document)
{
    return blocksOfRuns(document.model(), document.selection().runs());
}

// The parts that the words name, FFNs first; without words all of them. Letters with gaps between
// them count only where nothing else is found.
std::vector<const PaletteEntry*> namedParts(const std::string& words)
{
    std::vector<const PaletteEntry*> parts;
    std::vector<SearchedTitle> titles;
    for (const PaletteKind kind : {PaletteKind::ffn, PaletteKind::mixer}) {
        for (const PaletteEntry& entry : paletteEntries()) {
            if (entry.kind == kind) {
                parts.push_back(&entry);
                titles.push_back({entry.title.toStdString(), entry.key.toStdString()});
                for (const QString& name : entry.names) {
                    titles.back().names.push_back(name.toStdString());
                }
            }
        }
    }
    std::vector<const PaletteEntry*> found;
    std::vector<const PaletteEntry*> withGaps;
    for (const RankedTitle& ranked : rankedTitles(words, titles)) {
        (ranked.match.hasGaps ? withGaps : found).push_back(parts[ranked.index]);
    }
    return found.empty() ? withGaps : found;
}

TypedEntry replacementRow(Document& document, const QString& title, const Replacement& replacement)
{
    const Scenario& scenario = document.scenario();
    TypedEntry row;
    row.title = title;
    row.detail = QString::fromStdString(blocksText(replacement.blocks));
    row.help = replacementText(*replacement.entry, replacement.blocks);
    row.refusal =
        whyNotReplaced(scenario, *replacement.entry, runsOf(scenario.model, replacement.blocks));
    row.run = [&document, title, replacement] {
        document.apply(title,
                       [&replacement](DocumentState& state) { replaceBlocks(state, replacement); });
    };
    return row;
}

// One row for each part, of blocks chosen from a stretch; `where` is behind the choice.
std::vector<TypedEntry> replacementsIn(Document& document,
                                       const StackPhrase& phrase,
                                       const std::vector<int>& stretch,
                                       const QString& where)
{
    const QString choice = QString::fromStdString(choiceText(phrase.choice)) + where;
    const auto blocks = chosenBlocks(phrase.choice, stretch);
    if (!blocks) {
        return {refusedRow(choice, blocks.error().message)};
    }
    std::vector<TypedEntry> rows;
    for (const PaletteEntry* entry : namedParts(phrase.part)) {
        const QString title = phraseText("%1: %2").arg(choice, entry->title);
        rows.push_back(replacementRow(document, title, {entry, *blocks}));
    }
    if (rows.empty()) {
        rows.push_back(refusedRow(choice, nothingCalled(phrase.part)));
    }
    return rows;
}

// Of several selected rows their blocks alone. A single one is selected at any time, so the whole
// stack comes first then.
std::vector<TypedEntry> replacements(Document& document, const StackPhrase& phrase)
{
    const std::vector<int> all = blocksOfRuns(document.model(), {});
    const std::vector<int> selected = selectedBlocks(document);
    if (document.selection().isSeveral()) {
        return replacementsIn(document, phrase, selected, {});
    }
    std::vector<TypedEntry> rows = replacementsIn(document, phrase, all, {});
    if (selected.size() > 1 && selected.size() < all.size()
        && chosenBlocks(phrase.choice, selected).ok()) {
        const QString where =
            phraseText(" of %1").arg(QString::fromStdString(blocksText(selected)));
        for (TypedEntry& row : replacementsIn(document, phrase, selected, where)) {
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

// The best named part of each, one after the other, as one row.
TypedEntry sequence(Document& document, const std::vector<StackPhrase>& phrases)
{
    const std::vector<int> stretch = document.selection().isSeveral()
        ? selectedBlocks(document)
        : blocksOfRuns(document.model(), {});
    QStringList titles;
    QStringList texts;
    TypedEntry row;
    std::vector<Replacement> steps;
    for (const StackPhrase& phrase : phrases) {
        const QString choice = QString::fromStdString(choiceText(phrase.choice));
        const auto blocks = chosenBlocks(phrase.choice, stretch);
        const std::vector<const PaletteEntry*> parts = namedParts(phrase.part);
        if (!phrase.problem.empty() || !blocks || parts.empty()) {
            return refusedRow(choice,
                              !phrase.problem.empty() ? phrase.problem
                                  : !blocks           ? blocks.error().message
                                                      : nothingCalled(phrase.part));
        }
        steps.push_back({parts.front(), *blocks});
        titles << phraseText("%1: %2").arg(choice, parts.front()->title);
        texts << replacementText(*parts.front(), *blocks);
        if (row.refusal.isEmpty()) {
            row.refusal = whyNotApplied(
                document.scenario(), *parts.front(), runsOf(document.model(), *blocks));
        }
    }
    row.title = titles.join(QStringLiteral(", "));
    row.help = texts.join(QStringLiteral(" Then: "));
    row.run = [&document, title = row.title, steps] {
        document.apply(title, [&steps](DocumentState& state) {
            for (const Replacement& step : steps) {
                replaceBlocks(state, step);
            }
        });
    };
    return row;
}

TypedEntry repetition(Document& document, int more)
{
    const Model& model = document.model();
    const std::vector<int> runs = document.selection().runs();
    const QString times = QString::fromStdString(moreTimesText(more));
    const QString title = phraseText("Repeat the selected blocks %1").arg(times);
    if (const std::string why = whyNotRepeated(model, runs); !why.empty()) {
        return refusedRow(title, why);
    }
    const std::vector<int> blocks = blocksOfRuns(model, runs);
    const auto added = static_cast<std::int64_t>(blocks.size()) * more;
    TypedEntry row;
    row.title = title;
    row.detail = QString::fromStdString(blocksText(blocks));
    row.refusal = whyTooManyLayers(model, added);
    row.help = (blocks.size() == 1 ? phraseText("%1 comes %2: the model has %3 blocks then.")
                                   : phraseText("%1 come %2: the model has %3 blocks then."))
                   .arg(capitalBlocks(blocks), times)
                   .arg(model.layers() + added);
    row.run = [&document, runs, more, title] {
        document.apply(title, [&](DocumentState& state) {
            const std::vector<int> shown = repeatRuns(state.scenario.model, runs, more);
            repair(state.scenario);
            state.selection = Selection::ofRuns(shown, shown.front());
        });
    };
    return row;
}

} // namespace

std::vector<TypedEntry> phraseEntries(Document& document, const QString& typed)
{
    const std::vector<StackPhrase> phrases = stackPhrases(typed.toStdString());
    if (phrases.empty()) {
        return {};
    }
    const StackPhrase& phrase = phrases.front();
    if (phrases.size() > 1) {
        return {sequence(document, phrases)};
    }
    if (!phrase.problem.empty()) {
        return {refusedRow(typed.simplified(), phrase.problem)};
    }
    return phrase.kind == StackPhrase::Kind::repeat
        ? std::vector<TypedEntry>{repetition(document, phrase.more)}
        : replacements(document, phrase);
}

} // namespace flopsmith::ui
