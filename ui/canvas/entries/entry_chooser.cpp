// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/entries/entry_chooser.h"

#include "ui/canvas/entries/phrase_entries.h"
#include "ui/canvas/entries/typed_entries.h"
#include "ui/document/pattern_edit.h"

#include <QLineEdit>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kChooserLetters = 60; ///< in a line of the list
constexpr int kAroundPrompt = 6; ///< letters beside the prompt
constexpr int kAboveRuns = -1; ///< instead of a run: the list opens above the first one

// Where a block lands that is added while a part outside of the blocks is selected.
int gapBeside(const Model& model, Selection::Part part)
{
    switch (part) {
    case Selection::Part::run:
    case Selection::Part::embedding: return 0;
    case Selection::Part::encoderNorm: {
        int blocks = 0;
        for (const BlockRun& run : model.runs) {
            blocks += run.block.isEncoder() ? run.repeat : 0;
        }
        return blocks;
    }
    case Selection::Part::finalNorm:
    case Selection::Part::head: break;
    }
    return model.layers();
}

} // namespace

EntryChooser::EntryChooser(Document& document, StackSurface& surface)
    : m_document(document)
    , m_surface(surface)
{
    connect(&document, &Document::scenarioChanged, this, &EntryChooser::close);
    connect(&document, &Document::selectionChanged, this, &EntryChooser::close);
}

void EntryChooser::insertBehind()
{
    const std::vector<int> runs = m_document.selection().runs();
    const bool isPattern = wholePattern(m_document.scenario(), runs) >= 0;
    open(isPattern ? tr("Type what to insert behind the pattern, “moe x3” for three")
                   : tr("Type what to insert behind the selected blocks, “moe x3” for three"),
         runs.back(),
         insertionEntries(m_document),
         [this](const QString& typed) { return repeatedEntries(m_document, typed); });
}

void EntryChooser::insertInto()
{
    open(tr("Type what to insert into the pattern, in each of its repeats"),
         m_document.selection().runs().back(),
         intoPatternEntries(m_document),
         [this](const QString& typed) {
             return repeatedEntries(m_document, typed, Insertion::intoPattern);
         });
}

void EntryChooser::insertAt(int gap)
{
    open(tr("Type what to insert here"),
         gap == 0 ? kAboveRuns : m_document.model().runOf(gap - 1),
         gapEntries(m_document, gap),
         {});
}

void EntryChooser::add()
{
    if (m_document.selection().isRun()) {
        insertBehind();
    } else {
        insertAt(gapBeside(m_document.model(), m_document.selection().part));
    }
}

void EntryChooser::takePhrase(const QString& beginning)
{
    const std::vector<int> runs = m_document.selection().runs();
    const QString prompt = tr("Type “every 4th moe”, “last 2 spectral” or “repeat 3”");
    open(
        prompt, runs.empty() ? kAboveRuns : runs.front(), {}, [this, prompt](const QString& typed) {
            std::vector<TypedEntry> rows = phraseEntries(m_document, typed);
            if (rows.empty()) {
                rows.push_back({.title = prompt,
                                .refusal = tr("Say which blocks become what, or how often the "
                                              "selected ones come again.")});
            }
            return rows;
        });
    m_list->box().setText(beginning);
}

void EntryChooser::replace()
{
    open(tr("Type what the FFN or the mixer is replaced by"),
         m_document.selection().run,
         replacementEntries(m_document),
         {});
}

// The list opens below the row of the run, where the blocks land.
void EntryChooser::open(const QString& prompt,
                        int run,
                        std::vector<TypedEntry> entries,
                        TypedList::Source source)
{
    m_surface.refresh();
    const StackLayout& stack = m_surface.stackLayout();
    const int row = std::max(0, run == kAboveRuns ? stack.rowOf(0) - 1 : stack.rowOf(run));
    m_surface.showRow(row);
    QWidget& window = *m_surface.window();
    if (m_list == nullptr) {
        m_list = new TypedList(QStringLiteral("stack.chooser"), prompt, window);
    }
    m_list->setPrompt(prompt);
    m_list->setSource(std::move(source));
    const QRectF frame = m_surface.geometryOfStack().rows.at(static_cast<std::size_t>(row)).frame;
    const QPoint corner =
        m_surface.viewport()->mapTo(&window, m_surface.mapFromScene(frame.bottomLeft()));
    const QFontMetrics metrics = m_surface.fontMetrics();
    const int letter = metrics.averageCharWidth();
    const int letters = std::max(kChooserLetters * letter,
                                 metrics.horizontalAdvance(prompt) + kAroundPrompt * letter);
    const int width = std::min(std::max(letters, static_cast<int>(frame.width())), window.width());
    m_list->open(std::move(entries), QRect(corner, QSize(width, window.height() / 2)));
}

// Its entries are those of the blocks as they were.
void EntryChooser::close()
{
    if (m_list != nullptr && m_list->isVisible()) {
        m_list->dismiss();
    }
}

} // namespace flopsmith::ui

#include "moc_entry_chooser.cpp"
