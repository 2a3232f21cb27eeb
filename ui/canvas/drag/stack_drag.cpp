// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/stack_drag.h"

#include "ui/canvas/drag/drag_painter.h"
#include "ui/canvas/drag/landing_rows.h"

#include <QKeyEvent>
#include <QPainter>

#include <utility>

namespace flopsmith::ui {
StackDrag::StackDrag(Document& document,
                     StackSurface& surface,
                     const StackRowPainter& painter,
                     DragFeedback& feedback)
    : m_document(document)
    , m_surface(surface)
    , m_feedback(feedback)
    , m_ghost(surface, painter)
{
    connect(&document, &Document::scenarioChanged, this, &StackDrag::cancel);
}

void StackDrag::grab(const QPoint& place, Qt::KeyboardModifiers modifiers)
{
    m_surface.refresh();
    const int row = m_surface.rowAt(place);
    const int run = m_surface.runOf(row);
    if (run < 0) {
        return;
    }
    const Selection& selection = m_document.selection();
    PickedBlocks picked{.runs = {run}, .current = run};
    if (selection.contains(run)) {
        picked.runs = selection.runs();
    }
    m_pointer = place;
    m_modifiers = modifiers;
    begin({.move = {.picked = std::move(picked)}});
    m_ghost.draw(m_blocks->move.picked.runs, row, place);
    follow(place, modifiers);
}

void StackDrag::follow(const QPoint& place, Qt::KeyboardModifiers modifiers)
{
    if (!isActive() || isByKeys()) {
        return;
    }
    m_pointer = place;
    m_modifiers = modifiers;
    m_feedback.scrollAt(place);
    update();
}

void StackDrag::drop(const QPoint& place, Qt::KeyboardModifiers modifiers)
{
    if (!isActive() || isByKeys()) {
        return;
    }
    follow(place, modifiers);
    if (m_blocks->isOutside) {
        cancel();
    } else if (!finishWith(modifiers)) {
        const QString why = m_blocks->refusal(m_document.scenario());
        finish();
        tell(why);
    }
}

void StackDrag::pickUp()
{
    const Selection& selection = m_document.selection();
    if (isActive() || !selection.isRun()) {
        return;
    }
    m_surface.refresh();
    m_surface.setFocus();
    m_modifiers = {};
    const PickedBlocks picked{.runs = selection.runs(), .current = selection.run};
    begin({.move = {.picked = picked}, .byKeys = true});
    goTo(gapOf(m_document.model(), picked));
}

void StackDrag::press(const QKeyEvent& event)
{
    if (event.key() == Qt::Key_Escape) {
        cancel();
    } else if (isByKeys()) {
        pressByKeys(event);
    } else if (isActive()) {
        follow(m_pointer, event.modifiers());
    }
}

void StackDrag::pressByKeys(const QKeyEvent& event)
{
    const GapStep size =
        (event.modifiers() & Qt::ShiftModifier) != 0 ? GapStep::block : GapStep::run;
    m_modifiers = event.modifiers() & (Qt::AltModifier | Qt::ControlModifier);
    switch (event.key()) {
    case Qt::Key_Up: step(-1, size); return;
    case Qt::Key_Down: step(1, size); return;
    case Qt::Key_Home: goTo(0); return;
    case Qt::Key_End: goTo(m_document.model().layers()); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: finishWith(event.modifiers()); return;
    default: update();
    }
}

void StackDrag::release(const QKeyEvent& event)
{
    if (!isActive()) {
        return;
    }
    m_modifiers = event.modifiers();
    if (isByKeys()) {
        m_modifiers &= Qt::AltModifier | Qt::ControlModifier;
    }
    update();
}

void StackDrag::cancel()
{
    if (isActive()) {
        finish();
        tell(tr("Nothing was moved."));
    }
}

void StackDrag::begin(DraggedBlocks blocks)
{
    m_blocks = std::move(blocks);
    m_told.clear();
    m_feedback.begin(*this);
}

void StackDrag::finish()
{
    m_blocks.reset();
    m_surface.viewport()->unsetCursor();
    m_feedback.end();
}

// Drops the blocks where they are to land; false if they cannot, which has been told.
bool StackDrag::finishWith(Qt::KeyboardModifiers modifiers)
{
    m_modifiers = modifiers;
    update();
    if (!m_blocks->refusal(m_document.scenario()).isEmpty()) {
        return false;
    }
    const BlockMove move = m_blocks->move;
    finish();
    tell({});
    applyMove(m_document, move);
    return true;
}

void StackDrag::update()
{
    const Scenario& scenario = m_document.scenario();
    m_blocks->takeModifiers(m_modifiers);
    if (!isByKeys()) {
        const double y = m_surface.mapToScene(m_pointer).y();
        const std::vector<LandingRow> all = rows();
        m_blocks->move.gap = landingAt(all, y);
        m_blocks->move.target = m_surface.runOf(blocksAt(all, y));
        m_blocks->isOutside = !m_surface.viewport()->rect().contains(m_pointer);
        m_surface.viewport()->setCursor(m_blocks->isForbidden(scenario) ? Qt::ForbiddenCursor
                                            : m_blocks->move.kind == MoveKind::move
                                            ? Qt::DragMoveCursor
                                            : Qt::DragCopyCursor);
    }
    showLanding();
    showTarget();
    m_feedback.update();
    tell(m_blocks->sentence(scenario));
}

void StackDrag::step(int by, GapStep size)
{
    goTo(nextGap(m_document.model(), m_blocks->move.picked, m_blocks->move.gap, by, size));
}

void StackDrag::goTo(int gap)
{
    m_blocks->move.gap = gap;
    m_blocks->move.target = runPassed(m_document.model(), m_blocks->move.picked, gap);
    m_surface.ensureVisible(QRectF(0.0, line(), 1.0, 1.0), 0, 60);
    update();
}

void StackDrag::showLanding()
{
    if (m_blocks->copiesFfn() || !m_blocks->refusal(m_document.scenario()).isEmpty()) {
        m_feedback.closeGap();
        return;
    }
    m_feedback.openGap(line());
}

// The FFN that Ctrl would replace is lit like that under an entry of the palette.
void StackDrag::showTarget()
{
    const bool copies = m_blocks->copiesFfn() && m_blocks->refusal(m_document.scenario()).isEmpty();
    const int row = copies ? m_surface.stackLayout().rowOf(m_blocks->move.target) : -1;
    if (row < 0) {
        m_feedback.light().set(std::nullopt);
        return;
    }
    const int ffn = m_surface.stackLayout().partOf(row, PartRole::ffn);
    m_feedback.light().set(DropTarget{row, ffn}, tr("copy the FFN"));
}

void StackDrag::tell(const QString& sentence)
{
    if (sentence == m_told) {
        return;
    }
    m_told = sentence;
    if (!sentence.isEmpty()) {
        m_feedback.announce(sentence);
    }
    Q_EMIT hintChanged(sentence);
}

std::vector<LandingRow> StackDrag::rows() const
{
    return landingRows(m_surface.stackLayout(), m_document.model());
}

double StackDrag::line() const
{
    const auto current = static_cast<std::size_t>(m_blocks->move.picked.current);
    return landingLine(
        rows(), m_blocks->move.gap, m_document.model().runs.at(current).block.isEncoder());
}

bool StackDrag::isFaint(int row) const
{
    const int run = m_surface.runOf(row);
    return m_blocks->takesAway(run)
        || (run >= 0 && !m_blocks->canLandAt(m_document.scenario(), run));
}

void StackDrag::paintOverlay(QPainter& painter, const Theme& theme) const
{
    const bool forbidden = m_blocks->isForbidden(m_document.scenario());
    if (!m_blocks->copiesFfn()) {
        paintRowScale(painter, theme);
    }
    if (!isByKeys()) {
        m_ghost.paint(painter, m_pointer, m_blocks->copiesFfn());
        const DragBadge badge = forbidden           ? DragBadge::noEntry
            : m_blocks->move.kind == MoveKind::move ? DragBadge::none
                                                    : DragBadge::plus;
        paintBadge(painter, m_pointer, badge, theme);
    }
    if (!m_blocks->copiesFfn() && !m_blocks->isOutside) {
        paintLanding(painter, theme);
    }
}

void StackDrag::paintLanding(QPainter& painter, const Theme& theme) const
{
    if (!m_feedback.paintGapWith(painter, gapText(m_document.model(), m_blocks->move.gap), theme)) {
        const QRectF& wide = m_surface.geometryOfStack().dropZone;
        const double y = line() + m_feedback.gap().shiftAt(line());
        const QRectF closed(wide.left(), y - 1.0, wide.width(), 2.0);
        paintClosedPlace(painter, m_surface.mapFromScene(closed).boundingRect(), theme);
    }
}

// Of the run that the pointer is over, or that the gap is in.
void StackDrag::paintRowScale(QPainter& painter, const Theme& theme) const
{
    const std::vector<LandingRow> all = rows();
    const int row = blocksAt(all, isByKeys() ? line() : m_surface.mapToScene(m_pointer).y());
    const int run = m_surface.runOf(row);
    if (row < 0 || (run >= 0 && !m_blocks->canLandAt(m_document.scenario(), run))) {
        return;
    }
    const auto index = static_cast<std::size_t>(row);
    const QRectF& frame = m_surface.geometryOfStack().rows[index].frame;
    const auto shownAt = [&](double y) {
        const double shifted = y + m_feedback.gap().shiftAt(y);
        return QPointF(m_surface.mapFromScene(QPointF(frame.right(), shifted)));
    };
    std::vector<qreal> places;
    for (const double y : landingScale(all[index])) {
        places.push_back(shownAt(y).y());
    }
    const auto gap = m_feedback.gap().shown(frame.left(), frame.width());
    const qreal current = gap ? m_surface.mapFromScene(gap->center()).y() : shownAt(line()).y();
    paintScale(painter, shownAt(line()).x() - 3.0, places, current, theme);
}

} // namespace flopsmith::ui

#include "moc_stack_drag.cpp"
