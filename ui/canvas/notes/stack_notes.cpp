// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/notes/stack_notes.h"

#include "core/model/tree_path.h"
#include "ui/canvas/notes/note_column.h"
#include "ui/document/edits/note_edit.h"

#include <QAction>
#include <QScrollBar>

#include <algorithm>
#include <utility>
#include <vector>

namespace flopsmith::ui {
namespace {

constexpr double kNotesShare = 0.32; // of the view's width
constexpr int kNarrowestNotes = 120; // pixels
constexpr int kWidestNotes = 260;
constexpr int kRestOfStack = 250; // what notes leave of the view

} // namespace

StackNotes::StackNotes(Document& document,
                       StackSurface& surface,
                       StackMargin& margin,
                       QAction& shown)
    : m_document(document)
    , m_surface(surface)
    , m_margin(margin)
    , m_shown(shown)
    , m_column(new NoteColumn(*surface.viewport(), &surface))
{
    const auto leave = [this] { m_surface.setFocus(Qt::OtherFocusReason); };
    connect(&m_document, &Document::notesChanged, this, &StackNotes::show);
    connect(&m_shown, &QAction::toggled, this, &StackNotes::show);
    connect(m_column, &NoteColumn::typed, this, &StackNotes::take);
    connect(m_column, &NoteColumn::cancelled, this, [this](int note) {
        if (note < 0) {
            m_newNote.reset();
            show();
        }
    });
    connect(m_column, &NoteColumn::deletionRequested, this, [this, leave](int note) {
        deleteNote(m_document, note);
        leave();
    });
    connect(m_column, &NoteColumn::left, this, leave);
    connect(m_column, &NoteColumn::bottomChanged, this, &StackNotes::bottomChanged);
    QScrollBar* bar = surface.verticalScrollBar();
    connect(m_column, &NoteColumn::scrollRequested, bar, &QScrollBar::setValue);
    connect(bar, &QScrollBar::valueChanged, m_column, &NoteColumn::setScroll);
}

// The stack keeps its least width.
int StackNotes::roomBesideStack() const
{
    return m_surface.width() - m_margin.widthBefore(*m_column) - kRestOfStack;
}

int StackNotes::width() const
{
    const bool areAny = !m_document.notes().empty() || m_newNote;
    if (!areAny || !m_shown.isChecked() || roomBesideStack() < kNarrowestNotes) {
        return 0;
    }
    const int wanted = std::clamp(
        static_cast<int>(kNotesShare * m_surface.width()), kNarrowestNotes, kWidestNotes);
    return std::min(wanted, roomBesideStack());
}

double StackNotes::bottom() const
{
    return m_column->isVisible() ? m_column->bottom() : 0.0;
}

// The part that the selection names, else the selected block or the part outside of the blocks.
NoteAnchor StackNotes::selectedAnchor() const
{
    NoteAnchor anchor = anchorOf({.row = m_surface.currentRow()}, m_surface.picture());
    const int node = nodeAt(m_document.costTree(), m_document.selection().operation);
    if (anchor.part == NotePart::block && node > 0) {
        switch (m_document.costTree().node(node).place) {
        case ModelPlace::mixer: anchor.part = NotePart::mixer; break;
        case ModelPlace::ffn: anchor.part = NotePart::ffn; break;
        default: break;
        }
    }
    return checked(anchor, m_document.model()) ? anchor : NoteAnchor{};
}

void StackNotes::write(bool onWholeStack)
{
    m_surface.refresh();
    if (roomBesideStack() < kNarrowestNotes) {
        m_document.notify(tr("There is no room for notes: make the stack wider, or hide the second "
                             "column."));
        return;
    }
    m_shown.setChecked(true);
    m_newNote = onWholeStack ? NoteAnchor{} : selectedAnchor();
    show();
    m_column->edit(-1);
}

void StackNotes::take(int note, const QString& text)
{
    if (note >= 0) {
        changeNote(m_document, note, text);
    } else if (const auto anchor = std::exchange(m_newNote, std::nullopt)) {
        const Status added = addNote(m_document, *anchor, text);
        if (!added) {
            Q_EMIT m_document.changeRefused(QString::fromStdString(added.error().message));
        }
        show();
    }
}

// The middle of the row or of the part, or of the row that holds a part which is not drawn.
double StackNotes::heightOf(const NotedPart& noted) const
{
    const auto& rows = m_surface.geometryOfStack().rows;
    if (noted.row < 0 || noted.row >= static_cast<int>(rows.size())) {
        return 0.0;
    }
    const RowGeometry& row = rows[static_cast<std::size_t>(noted.row)];
    const bool isDrawn = noted.part >= 0 && noted.part < static_cast<int>(row.parts.size());
    if (isDrawn) {
        return row.parts[static_cast<std::size_t>(noted.part)].box.center().y();
    }
    const bool hasTitle = !row.title.isEmpty();
    return hasTitle ? row.title.center().y() : row.frame.center().y();
}

// In the order in which they stand, so that Tab goes from one to the next below.
void StackNotes::show()
{
    m_margin.place();
    std::vector<ShownNote> shown;
    const auto add = [&](int note, const NoteAnchor& anchor, const std::string& text) {
        const NotedPart noted = notedPart(anchor, m_document.model(), m_surface.picture());
        shown.push_back({.note = note,
                         .about = QString::fromStdString(anchorText(anchor, m_document.model())),
                         .text = QString::fromStdString(text),
                         .at = heightOf(noted),
                         .hasLine = noted.row >= 0});
    };
    if (m_shown.isChecked()) {
        for (std::size_t i = 0; i < m_document.notes().size(); ++i) {
            add(static_cast<int>(i), m_document.notes()[i].anchor, m_document.notes()[i].text);
        }
        if (m_newNote) {
            add(-1, *m_newNote, {});
        }
    }
    std::stable_sort(shown.begin(), shown.end(), [](const ShownNote& a, const ShownNote& b) {
        return a.at < b.at;
    });
    m_column->setNotes(std::move(shown));
    Q_EMIT bottomChanged();
}

} // namespace flopsmith::ui

#include "moc_stack_notes.cpp"
