// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/row_selection.h"

#include "core/model/pattern.h"

#include <QKeyEvent>
#include <QRubberBand>

#include <algorithm>

namespace flopsmith::ui {

RowSelection::RowSelection(Document& document, StackSurface& surface)
    : m_document(document)
    , m_surface(surface)
    , m_band(new QRubberBand(QRubberBand::Rectangle, surface.viewport()))
{
    m_band->setObjectName(QStringLiteral("stack.band"));
    m_band->setAccessibleName(QObject::tr("Selects the blocks that it touches"));
}

void RowSelection::choose(int row, Qt::KeyboardModifiers modifiers)
{
    const int run = m_surface.runOf(row);
    if (run >= 0 && (modifiers & Qt::ControlModifier) != 0) {
        m_document.select(m_document.selection().withToggled(run));
    } else if (run >= 0 && (modifiers & Qt::ShiftModifier) != 0) {
        m_document.select(m_document.selection().withRangeTo(run));
    } else {
        m_surface.chooseRow(row);
    }
}

void RowSelection::choosePattern(int pattern)
{
    const std::vector<int> runs = m_surface.stackLayout().runsOfPattern(pattern);
    m_document.select(Selection::ofRuns(runs, runs.front()));
}

bool RowSelection::press(QKeyEvent& event)
{
    const bool extends = (event.modifiers() & Qt::ShiftModifier) != 0;
    const int all = m_surface.stackLayout().rowCount();
    switch (event.key()) {
    case Qt::Key_Up: extends ? extendBy(-1) : moveBy(-1); return true;
    case Qt::Key_Down: extends ? extendBy(1) : moveBy(1); return true;
    case Qt::Key_Home: moveBy(-all); return true;
    case Qt::Key_End: moveBy(all); return true;
    case Qt::Key_Escape: // back to what was selected before the band, or to one of several runs
        if (hasBand()) {
            m_document.select(m_beforeBand);
            endBand();
            return true;
        }
        event.setAccepted(m_document.selection().isSeveral());
        m_document.select(m_document.selection().current());
        return true;
    default: return false;
    }
}

void RowSelection::moveBy(int rows)
{
    const int last = m_surface.stackLayout().rowCount() - 1;
    m_surface.chooseRow(std::clamp(m_surface.currentRow() + rows, 0, last));
}

// Moves the end of the selection that is not the current run.
void RowSelection::extendBy(int runs)
{
    const Selection& selection = m_document.selection();
    const std::vector<int> shown = shownRuns(m_document.model());
    const int last = static_cast<int>(shown.size()) - 1;
    if (!selection.isRun()) {
        moveBy(runs);
        return;
    }
    const auto far = std::lower_bound(shown.begin(), shown.end(), selection.farEnd(runs));
    const int place = std::clamp(static_cast<int>(far - shown.begin()) + runs, 0, last);
    const int end = shown[static_cast<std::size_t>(place)];
    m_document.select(selection.withRangeTo(end));
    m_surface.showRow(m_surface.stackLayout().rowOf(end));
}

void RowSelection::beginBand(const QPoint& place)
{
    m_bandStart = m_surface.mapToScene(place);
    m_beforeBand = m_document.selection();
    m_surface.setProperty("takesEscape", true);
    m_document.selectOperation({}); // the ground belongs to none
}

// The selection stays while the band touches no run.
void RowSelection::stretchBand(const QPoint& place)
{
    const QRectF touched = // also of a band that is a line
        QRectF(*m_bandStart, m_surface.mapToScene(place))
            .normalized()
            .adjusted(-0.5, -0.5, 0.5, 0.5);
    const std::vector<int> runs = m_surface.stackLayout().runsIn(touched);
    if (!runs.empty()) {
        m_document.select(Selection::ofRuns(runs, runs.front())); // which may scroll
    }
    m_band->setGeometry(m_surface.mapFromScene(touched).boundingRect());
    m_band->show();
}

void RowSelection::endBand()
{
    if (hasBand()) {
        m_bandStart.reset();
        m_surface.setProperty("takesEscape", false);
    }
    m_band->hide();
}

} // namespace flopsmith::ui
