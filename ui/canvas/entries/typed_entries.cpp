// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/entries/typed_entries.h"

#include "ui/canvas/entries/palette_entry.h"
#include "ui/document/layer_limit.h"
#include "ui/document/pattern_edit.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <optional>
#include <utility>

// Components that are chosen by typing.

namespace flopsmith::ui {
namespace {

QString chooserText(const char* source)
{
    return QCoreApplication::translate("EntryChooser", source);
}

// A typed number of blocks and what the other words search.
struct Repeated
{
    int blocks = 1;
    QString query;
};

std::optional<Repeated> repeatedIn(const QString& typed)
{
    static const QRegularExpression kBehind(QStringLiteral("^(.*\\D)\\s*[x×*]\\s*(\\d{1,4})$"));
    static const QRegularExpression kBefore(QStringLiteral("^(\\d{1,4})\\s*[x×*]?\\s+(.+)$"));
    const QString text = typed.trimmed();
    if (const auto behind = kBehind.match(text); behind.hasMatch()) {
        return Repeated{behind.captured(2).toInt(), behind.captured(1)};
    }
    if (const auto before = kBefore.match(text); before.hasMatch()) {
        return Repeated{before.captured(1).toInt(), before.captured(2)};
    }
    return std::nullopt;
}

// The entry as a row, without what it does. FFNs come first, because they are replaced most.
std::vector<TypedEntry> componentRows(const Scenario& scenario,
                                      const std::vector<int>& runs,
                                      const QString& mixerDetail,
                                      const QString& ffnDetail,
                                      const std::function<void(const PaletteEntry&)>& take)
{
    std::vector<TypedEntry> rows;
    for (const PaletteKind kind : {PaletteKind::ffn, PaletteKind::mixer}) {
        for (const PaletteEntry& entry : paletteEntries()) {
            if (entry.kind == kind) {
                rows.push_back({.id = entry.key,
                                .title = entry.title,
                                .detail = kind == PaletteKind::ffn ? ffnDetail : mixerDetail,
                                .help = entry.help.section(QLatin1Char('\n'), 1),
                                .refusal = whyNotApplied(scenario, entry, runs),
                                .words = entry.key,
                                .names = entry.names,
                                .run = [&entry, take] { take(entry); }});
            }
        }
    }
    return rows;
}

const BlockRun& runOf(const Document& document, int run)
{
    return document.model().runs.at(static_cast<std::size_t>(run));
}

bool isInAllSelected(const Document& document, const PaletteEntry& entry)
{
    const std::vector<int> runs = document.selection().runs();
    return std::all_of(runs.begin(), runs.end(), [&](int run) {
        return isInBlock(runOf(document, run).block, entry);
    });
}

void applyToRun(Document& document, const QString& text, int run, int (*edit)(Scenario&, int))
{
    document.apply(text, [run, edit](DocumentState& state) {
        state.selection = Selection::ofRun(edit(state.scenario, run));
    });
}

QString whyTooMany(const Model& model, int run, int blocks)
{
    return whyTooManyLayers(model, addedBehind(model, run, blocks));
}

void appendCopies(Document& document, int run, std::vector<TypedEntry>& rows)
{
    const int repeat = runOf(document, run).repeat;
    rows.push_back(
        {.id = QStringLiteral("copy/block"),
         .title = chooserText("Copy of one block"),
         .detail = chooserText("one more of the selected"),
         .refusal = whyTooMany(document.model(), run, 1),
         .run = [&document, run] {
             applyToRun(document, chooserText("Insert copy"), run, [](Scenario& s, int at) {
                 setRepeat(s, at, s.model.runs[static_cast<std::size_t>(at)].repeat + 1);
                 return at;
             });
         }});
    if (repeat > 1) {
        rows.push_back({.id = QStringLiteral("copy/run"),
                        .title = chooserText("Copy of all %1 blocks").arg(repeat),
                        .detail = chooserText("a separate run"),
                        .refusal = whyTooMany(document.model(), run, repeat),
                        .run = [&document, run] {
                            applyToRun(document, chooserText("Insert copies"), run, duplicateRun);
                        }});
    }
}

// The pattern behind which blocks land, or -1: then behind the last selected run.
int patternBefore(const Document& document, Insertion where)
{
    return where == Insertion::behindPattern
        ? wholePattern(document.scenario(), document.selection().runs())
        : -1;
}

std::vector<TypedEntry> insertedBlocks(Document& document, int blocks, Insertion where)
{
    const int run = document.selection().runs().back();
    const int pattern = patternBefore(document, where);
    std::vector<TypedEntry> rows =
        componentRows(document.scenario(),
                      {run},
                      chooserText("block with this mixer"),
                      chooserText("block with this FFN"),
                      [&document, run, pattern, blocks](const PaletteEntry& entry) {
                          if (pattern >= 0) {
                              insertEntryBehindPattern(document, entry, pattern, blocks);
                          } else {
                              insertEntry(document, entry, run, blocks);
                          }
                      });
    const QString tooMany = pattern >= 0 ? whyTooManyLayers(document.model(), blocks)
                                         : whyTooMany(document.model(), run, blocks);
    for (TypedEntry& row : rows) {
        row.refusal = row.refusal.isEmpty() ? tooMany : row.refusal;
    }
    return rows;
}

} // namespace

std::vector<TypedEntry> insertionEntries(Document& document)
{
    std::vector<TypedEntry> rows = insertedBlocks(document, 1, Insertion::behindPattern);
    if (patternBefore(document, Insertion::behindPattern) < 0) {
        appendCopies(document, document.selection().runs().back(), rows);
    }
    return rows;
}

std::vector<TypedEntry> intoPatternEntries(Document& document)
{
    return insertedBlocks(document, 1, Insertion::intoPattern);
}

std::vector<TypedEntry> gapEntries(Document& document, int gap)
{
    std::vector<TypedEntry> rows = componentRows(
        document.scenario(),
        {},
        chooserText("block with this mixer"),
        chooserText("block with this FFN"),
        [&document, gap](const PaletteEntry& entry) { insertEntryAt(document, entry, gap); });
    for (TypedEntry& row : rows) {
        row.refusal = whyNotInserted(document.scenario(), *paletteEntry(row.id), gap);
    }
    return rows;
}

std::vector<TypedEntry> repeatedEntries(Document& document, const QString& typed, Insertion where)
{
    const std::optional<Repeated> repeated = repeatedIn(typed);
    std::vector<TypedEntry> rows;
    if (!repeated || repeated->blocks < 1) {
        return rows;
    }
    const std::vector<TypedEntry> blocks = insertedBlocks(document, repeated->blocks, where);
    for (TypedRow& row : foundRows(blocks, repeated->query)) {
        row.entry.title = chooserText("%1 × %2").arg(repeated->blocks).arg(row.entry.title);
        rows.push_back(std::move(row.entry));
    }
    return rows;
}

std::vector<TypedEntry> replacementEntries(Document& document)
{
    std::vector<TypedEntry> rows =
        componentRows(document.scenario(),
                      document.selection().runs(),
                      chooserText("instead of the mixer"),
                      chooserText("instead of the FFN"),
                      [&document](const PaletteEntry& entry) { applyEntry(document, entry); });
    for (TypedEntry& row : rows) {
        if (row.refusal.isEmpty() && isInAllSelected(document, *paletteEntry(row.id))) {
            row.refusal = chooserText("The selected blocks have it already.");
        }
    }
    return rows;
}

} // namespace flopsmith::ui
