// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_view.h"

#include "ui/canvas/beside/design_column.h"
#include "ui/canvas/find/find_bar.h"
#include "ui/canvas/input/gap_plus.h"
#include "ui/canvas/input/stack_input.h"
#include "ui/canvas/notes/note_column.h"
#include "ui/canvas/stack_accessible.h"
#include "ui/canvas/stack_explanation.h"
#include "ui/canvas/zoom/minimap.h"

#include <QAction>
#include <QKeyEvent>

#include <utility>

namespace flopsmith::ui {

StackView::StackView(Document& document, QWidget* parent)
    : StackSurface(parent)
    , m_document(document)
    , m_actions(document, *this)
    , m_zoom(*this)
    , m_light(*viewport())
    , m_rowPainter(document, *this, m_light)
    , m_find(document, *this)
    , m_margin(*this)
    , m_minimap(new Minimap(*this, m_zoom.actions().minimap()))
    , m_beside(document, *this)
    , m_notes(document, *this, m_margin, m_zoom.actions().notes())
    , m_chooser(document, *this)
    , m_rows(document, *this)
    , m_feedback(*this, m_light)
    , m_drag(document, *this, m_rowPainter, m_feedback)
    , m_drops(document, *this, m_feedback)
    , m_scene(*this, m_rowPainter, m_feedback)
    , m_update([this] { readDocument(); })
{
    m_input = new StackInput(document, *this, {m_actions, m_zoom, m_rows, m_drag, m_drops});
    m_plus = new GapPlus(document, *this);
    connect(m_plus, &GapPlus::insertionRequested, &m_chooser, &EntryChooser::insertAt);
    installStackAccessibility(); // before the first event that makes an interface
    setObjectName(QStringLiteral("stack"));
    setAccessibleName(tr("Stack of blocks"));
    viewport()->setObjectName(QStringLiteral("stack.viewport"));
    viewport()->setAccessibleName(tr("Blocks"));
    setScene(&m_scene);
    fillMargin();
    connectParts();
    connect(&document, &Document::scenarioChanged, this, &StackView::follow);
    connect(&document, &Document::lensChanged, this, &StackView::follow);
    connect(&document, &Document::selectionChanged, this, &StackView::followSelection);
    readDocument();
}

void StackView::connectParts()
{
    connect(m_input, &StackInput::refused, this, &StackView::dropRefused);
    connect(&m_drag, &StackDrag::hintChanged, this, &StackView::dragHintChanged);
    connect(&m_drops, &EntryDrop::hintChanged, this, &StackView::dragHintChanged);
    connect(&m_drops, &EntryDrop::refused, this, &StackView::dropRefused);
    connect(&m_feedback, &DragFeedback::activeChanged, this, [this] {
        setProperty("takesEscape", m_feedback.isActive());
        m_scene.rebuild(m_notes.bottom()); // rows may be painted further down meanwhile
        viewport()->update();
    });
    connect(&m_actions.pickUp(), &QAction::triggered, &m_drag, &StackDrag::pickUp);
    connect(&m_zoom, &StackZoom::changed, this, [this] { Q_EMIT noteChanged(m_zoom.note()); });
    connect(&m_actions, &StackActions::findRequested, this, &StackView::findStarts);
    connect(&m_actions, &StackActions::findRequested, &m_find.bar(), &FindBar::open);
    connect(&m_actions, &StackActions::findStepRequested, this, &StackView::findStarts);
    connect(&m_actions, &StackActions::findStepRequested, &m_find, &StackFind::step);
    connect(&m_actions, &StackActions::insertionRequested, &m_chooser, &EntryChooser::insertBehind);
    connect(
        &m_actions, &StackActions::insertionIntoRequested, &m_chooser, &EntryChooser::insertInto);
    connect(&m_actions, &StackActions::replacementRequested, &m_chooser, &EntryChooser::replace);
    connect(&m_actions.patterns(),
            &PatternActions::phraseRequested,
            &m_chooser,
            &EntryChooser::takePhrase);
    connect(&m_actions, &StackActions::noteRequested, &m_notes, &StackNotes::write);
    connect(
        &m_notes, &StackNotes::bottomChanged, this, [this] { m_scene.bound(m_notes.bottom()); });
    connect(&m_beside, &BesideColumn::changed, this, [this] {
        m_margin.place(); // the viewport changes its width, and lays out
        layOut();
        m_scene.rebuild(m_notes.bottom()); // rows that gave way stand where they stood
    });
}

// Beside the viewport stand the column, if there is one, then notes, then the minimap.
void StackView::fillMargin()
{
    m_margin.add(m_beside.column(), [this] { return m_beside.width(); });
    m_margin.add(m_notes.column(), [this] { return m_notes.width(); });
    m_margin.add(
        *m_minimap, [this] { return m_minimap->widthInMargin(); }, Minimap::kGap);
    connect(&m_zoom.actions().minimap(), &QAction::toggled, this, [this] { m_margin.place(); });
}

void StackView::addBlocks()
{
    setFocus(Qt::OtherFocusReason); // which the list gives back
    m_chooser.add();
}

void StackView::refresh()
{
    m_update.flush();
    if (m_isStale) {
        readDocument();
    }
}

void StackView::setCostsShown(bool shown)
{
    if (m_showsCosts != shown) {
        m_showsCosts = shown;
        m_isStale = true; // the document is as it was
        refresh();
        viewport()->update();
    }
}

// Behind the inside of a block nothing is drawn, so nothing is computed.
void StackView::follow()
{
    if (isVisible()) {
        m_update.request();
    } else {
        m_isStale = true;
    }
}

void StackView::followSelection()
{
    if (!isVisible()) {
        m_isStale = true;
        return;
    }
    refresh();
    showRow(currentRow());
    viewport()->update();
    showSelection();
    announceCurrentRow(*this);
    m_find.update();
}

void StackView::readDocument()
{
    m_isStale = false;
    m_rowPainter.reset(m_showsCosts);
    StackPicture picture =
        stackPicture(m_document.scenario(), m_document.costTree(), m_document.lens());
    const StackPicture before = std::exchange(
        m_layout.picture, m_showsCosts ? std::move(picture) : withoutCosts(std::move(picture)));
    m_beside.align();
    if (!layOut()) {
        m_rowPainter.repaintChanged(before);
    }
    m_notes.show();
    showSelection();
    m_find.update();
    if (m_layout.picture.note != before.note) {
        Q_EMIT noteChanged(m_zoom.note());
    }
}

// Whether anything has moved, so that everything is repainted.
bool StackView::layOut()
{
    StackGeometry laidOut = stackGeometry(
        m_layout.picture, viewport()->size(), titleFont(font()), chipFont(font()), m_zoom.factor());
    m_beside.makeWay(laidOut);
    const StackGeometry before = std::exchange(m_layout.geometry, std::move(laidOut));
    if (before == m_layout.geometry) {
        return false;
    }
    if (before.size != m_layout.geometry.size || before.rows.size() != m_layout.geometry.rows.size()
        || m_beside.movesRows()) { // rows have given way elsewhere
        m_scene.rebuild(m_notes.bottom());
    }
    m_notes.show();
    m_minimap->follow();
    viewport()->update();
    return true;
}

// In column and minimap, and in the texts for screen readers and for "What is this?".
void StackView::showSelection()
{
    const std::vector<bool> selected = m_layout.selectedRows(selection());
    m_beside.column().setSelected(selected);
    m_minimap->setSelected(selected);
    setAccessibleDescription(stackDescription(m_document.scenario(), selection(), m_layout));
    const int current = currentRow();
    setWhatsThis(current < 0 ? QString()
                             : whatIs(m_document.model(),
                                      m_layout.picture.rows[static_cast<std::size_t>(current)]));
}

void StackView::chooseRow(int row)
{
    if (m_layout.isRow(row)) {
        m_document.select(m_layout.selectionOf(row));
    }
}

void StackView::showRow(int row)
{
    if (row >= 0) {
        ensureVisible(m_layout.geometry.rows[static_cast<std::size_t>(row)].frame, 0, 6);
    }
}

void StackView::resizeEvent(QResizeEvent* event)
{
    StackSurface::resizeEvent(event);
    layOut();
    m_margin.place();
    m_minimap->follow();
    m_find.bar().fit(viewport()->geometry());
}

// The size is known only now: before, the selected row would be shown in a view of a few lines.
void StackView::showEvent(QShowEvent* event)
{
    StackSurface::showEvent(event);
    if (m_isStale) {
        readDocument();
        showRow(currentRow());
    }
}

void StackView::focusInEvent(QFocusEvent* event)
{
    StackSurface::focusInEvent(event);
    announceCurrentRow(*this);
    viewport()->update();
}

void StackView::focusOutEvent(QFocusEvent* event)
{
    StackSurface::focusOutEvent(event);
    m_drag.cancel();
    viewport()->update();
}

void StackView::changeEvent(QEvent* event)
{
    StackSurface::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::PaletteChange) {
        layOut();
        m_minimap->update();
        viewport()->update(); // the colours have changed, even if nothing has moved
    }
}

void StackView::keyPressEvent(QKeyEvent* event)
{
    if (!m_input->press(*event)) {
        StackSurface::keyPressEvent(event);
    }
}

void StackView::keyReleaseEvent(QKeyEvent* event)
{
    m_drag.release(*event);
    StackSurface::keyReleaseEvent(event);
}

// While blocks are picked up, every key belongs to them: no shortcut changes the document.
bool StackView::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && m_drag.isActive()) {
        event->accept();
        return true;
    }
    return StackSurface::event(event);
}

void StackView::contextMenuEvent(QContextMenuEvent* event)
{
    m_input->openMenu(*event);
}

bool StackView::viewportEvent(QEvent* event)
{
    return (m_input != nullptr && m_input->answer(*event)) || StackSurface::viewportEvent(event);
}

} // namespace flopsmith::ui

#include "moc_stack_view.cpp"
