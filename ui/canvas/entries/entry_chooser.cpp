// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/entries/entry_chooser.h"

#include "ui/canvas/entries/typed_entries.h"
#include "ui/document/pattern_edit.h"

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kChooserLetters = 60; ///< in a line of the list
constexpr int kAroundPrompt = 6; ///< letters beside the prompt

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
         m_document.model().runOf(std::max(gap - 1, 0)),
         gapEntries(m_document, gap),
         {});
}

void EntryChooser::replace()
{
    open(tr("Type what the FFN or the mixer is replaced by"),
         m_document.selection().run,
         replacementEntries(m_document),
         {});
}

// The list opens below the row of the run.
void EntryChooser::open(const QString& prompt,
                        int run,
                        std::vector<TypedEntry> entries,
                        TypedList::Source source)
{
    m_surface.refresh();
    const int row = std::max(0, m_surface.stackLayout().rowOf(run));
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
