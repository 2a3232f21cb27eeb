// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tree_path.h"
#include "core/present/stack/note_cards.h"
#include "ui/canvas/notes/note_column.h"
#include "ui/canvas/stack_view.h"

#include <QAction>
#include <QScrollBar>

#include <algorithm>
#include <utility>
#include <vector>

// Notes at parts of the stack, on cards beside it.

namespace flopsmith::ui {
namespace {

constexpr double kNotesShare = 0.32; // of the view's width
constexpr int kNarrowestNotes = 120; // pixels
constexpr int kWidestNotes = 260;
constexpr int kRestOfStack = 250; // what notes leave of the view

} // namespace

void StackView::connectNotes()
{
    connect(&m_document, &Document::notesChanged, this, &StackView::showNotes);
    connect(&m_zoom.actions().notes(), &QAction::toggled, this, &StackView::showNotes);
    connect(&m_actions, &StackActions::noteWanted, this, &StackView::writeNote);
    connect(m_notes, &NoteColumn::typed, this, &StackView::takeNote);
    connect(m_notes, &NoteColumn::cancelled, this, [this](int note) {
        if (note < 0) {
            m_newNote.reset();
            showNotes();
        }
    });
    connect(m_notes, &NoteColumn::deletionWanted, this, [this](int note) {
        m_document.deleteNote(note);
        setFocus(Qt::OtherFocusReason);
    });
    connect(m_notes, &NoteColumn::left, this, [this] { setFocus(Qt::OtherFocusReason); });
    connect(m_notes, &NoteColumn::bottomChanged, this, &StackView::boundScene);
    connect(m_notes, &NoteColumn::scrollWanted, verticalScrollBar(), &QScrollBar::setValue);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, m_notes, &NoteColumn::setScroll);
}

bool StackView::hasRoomForNotes() const
{
    return width() - m_beside.width() - kNarrowestNotes >= kRestOfStack;
}

int StackView::notesWidth() const
{
    const bool areAny = !m_document.notes().empty() || m_newNote;
    if (!areAny || !m_zoom.actions().notes().isChecked() || !hasRoomForNotes()) {
        return 0;
    }
    const int wanted =
        std::clamp(static_cast<int>(kNotesShare * width()), kNarrowestNotes, kWidestNotes);
    return std::min(wanted, width() - m_beside.width() - kRestOfStack);
}

// The part that the selection names, else the selected block or the part outside of the blocks.
NoteAnchor StackView::selectedAnchor() const
{
    NoteAnchor anchor = anchorOf({.row = currentRow()}, m_layout.picture);
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

void StackView::writeNote(bool onWholeStack)
{
    refresh();
    if (!hasRoomForNotes()) {
        m_document.notify(tr("There is no room for notes: make the stack wider, or hide the second "
                             "column."));
        return;
    }
    m_zoom.actions().notes().setChecked(true);
    m_newNote = onWholeStack ? NoteAnchor{} : selectedAnchor();
    showNotes();
    m_notes->edit(-1);
}

void StackView::takeNote(int note, const QString& text)
{
    if (note >= 0) {
        m_document.changeNote(note, text);
    } else if (const auto anchor = std::exchange(m_newNote, std::nullopt)) {
        const Status added = m_document.addNote(*anchor, text);
        if (!added) {
            Q_EMIT m_document.changeRefused(QString::fromStdString(added.error().message));
        }
        showNotes();
    }
}

// The middle of the row or of the part, or of the row that holds a part which is not drawn.
double StackView::heightOfNoted(const NotedPart& noted) const
{
    if (noted.row < 0 || noted.row >= static_cast<int>(m_layout.geometry.rows.size())) {
        return 0.0;
    }
    const RowGeometry& row = m_layout.geometry.rows[static_cast<std::size_t>(noted.row)];
    const bool isDrawn = noted.part >= 0 && noted.part < static_cast<int>(row.parts.size());
    if (isDrawn) {
        return row.parts[static_cast<std::size_t>(noted.part)].box.center().y();
    }
    const bool hasTitle = !row.title.isEmpty();
    return hasTitle ? row.title.center().y() : row.frame.center().y();
}

// In the order in which they stand, so that Tab goes from one to the next below.
void StackView::showNotes()
{
    m_margin.place(); // which makes room for them, or takes it back
    std::vector<ShownNote> shown;
    const auto add = [&](int note, const NoteAnchor& anchor, const std::string& text) {
        const NotedPart noted = notedPart(anchor, m_document.model(), m_layout.picture);
        shown.push_back({.note = note,
                         .about = QString::fromStdString(anchorText(anchor, m_document.model())),
                         .text = QString::fromStdString(text),
                         .at = heightOfNoted(noted),
                         .hasLine = noted.row >= 0});
    };
    if (m_zoom.actions().notes().isChecked()) {
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
    m_notes->setNotes(std::move(shown));
    boundScene();
}

// What scrolls ends below the stack and below the last card.
void StackView::boundScene()
{
    const double notes = m_notes->isVisible() ? m_notes->bottom() : 0.0;
    const QSizeF size(m_layout.geometry.size.width(),
                      std::max(m_layout.geometry.size.height(), notes));
    if (m_scene.sceneRect() != QRectF(QPointF(), size)) {
        m_scene.setSceneRect(QRectF(QPointF(), size));
    }
}

} // namespace flopsmith::ui
