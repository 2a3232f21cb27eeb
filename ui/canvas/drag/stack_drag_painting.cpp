// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/stack_drag.h"
#include "ui/canvas/stack_view.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

// What is painted while blocks are picked up.

namespace flopsmith::ui {
namespace {

constexpr qreal kFaint = 0.35; // picked up, or no place to land

} // namespace

bool StackDrag::isPicked(int row) const
{
    const auto& runs = m_move->picked.runs;
    return m_move->kind == MoveKind::move && !m_move->picked.oneBlock
        && std::find(runs.begin(), runs.end(), m_view.runOf(row)) != runs.end();
}

bool StackDrag::isPlace(int row) const
{
    const int run = m_view.runOf(row);
    if (run < 0) {
        return true;
    }
    BlockMove here = *m_move;
    here.target = run;
    if (here.kind == MoveKind::copyFfn) {
        return whyNotMoved(m_document.scenario(), here).isEmpty();
    }
    const Model& model = m_document.model();
    const int first = model.firstBlock(run);
    const int end = first + model.runs.at(static_cast<std::size_t>(run)).repeat;
    return isInOwnHalf(model, here.picked, first) && isInOwnHalf(model, here.picked, end);
}

bool StackDrag::isPlaceForEntry(int row) const
{
    const Scenario& scenario = m_document.scenario();
    const bool isEnd = row == static_cast<int>(m_view.picture().rows.size());
    const int run = m_view.runOf(row);
    return isEnd ? canAppend(scenario, *m_entry) : run >= 0 && canApply(scenario, *m_entry, run);
}

bool StackDrag::isFaint(int row) const
{
    if (isActive()) {
        return isPicked(row) || !isPlace(row);
    }
    return m_entry != nullptr && !m_insertion && !isPlaceForEntry(row);
}

void StackDrag::paintParted(QPainter& painter,
                            int row,
                            const QRectF& place,
                            const std::function<void()>& paint) const
{
    if (isIdle()) {
        paint();
        return;
    }
    const qreal before = painter.opacity();
    painter.setOpacity(isFaint(row) ? kFaint : before);
    m_gap.paintParted(painter, place, paint);
    painter.setOpacity(before);
}

void StackDrag::paintOverlay(QPainter& painter) const
{
    const Theme& theme = systemTheme();
    painter.setFont(m_view.font());
    if (!isActive()) {
        paintInsertion(painter, theme);
        return;
    }
    if (m_move->kind != MoveKind::copyFfn) {
        paintRowScale(painter, theme);
    }
    if (!m_byKeys) {
        paintGhost(painter, theme);
    }
    if (m_move->kind != MoveKind::copyFfn && !isOutside()) {
        paintLanding(painter, theme);
    }
}

void StackDrag::paintInsertion(QPainter& painter, const Theme& theme) const
{
    const QRectF wide = m_view.geometryOfStack().dropZone;
    const auto gap = m_gap.shown(wide.left(), wide.width());
    if (gap && m_insertion) {
        paintGap(painter,
                 m_view.mapFromScene(*gap).boundingRect(),
                 gapText(m_document.model(), *m_insertion),
                 theme);
    }
}

void StackDrag::paintLanding(QPainter& painter, const Theme& theme) const
{
    const QRectF wide = m_view.geometryOfStack().dropZone;
    if (const auto gap = m_gap.shown(wide.left(), wide.width())) {
        paintGap(painter,
                 m_view.mapFromScene(*gap).boundingRect(),
                 gapText(m_document.model(), m_move->gap),
                 theme);
        return;
    }
    const double y = line() + m_gap.shiftAt(line());
    const QRectF closed(wide.left(), y - 1.0, wide.width(), 2.0);
    paintClosedPlace(painter, m_view.mapFromScene(closed).boundingRect(), theme);
}

// Of the run that the pointer is over, or that the gap is in.
void StackDrag::paintRowScale(QPainter& painter, const Theme& theme) const
{
    const std::vector<LandingRow> all = rows();
    const int row = blocksAt(all, m_byKeys ? line() : m_view.mapToScene(m_pointer).y());
    if (row < 0 || !isPlace(row)) {
        return;
    }
    const auto index = static_cast<std::size_t>(row);
    const QRectF& frame = m_view.geometryOfStack().rows[index].frame;
    const auto shownAt = [&](double y) {
        return QPointF(m_view.mapFromScene(QPointF(frame.right(), y + m_gap.shiftAt(y))));
    };
    std::vector<qreal> places;
    for (const double y : landingScale(all[index])) {
        places.push_back(shownAt(y).y());
    }
    const auto gap = m_gap.shown(frame.left(), frame.width());
    const qreal current = gap ? m_view.mapFromScene(gap->center()).y() : shownAt(line()).y();
    paintScale(painter, shownAt(line()).x() - 3.0, places, current, theme);
}

void StackDrag::paintGhost(QPainter& painter, const Theme& theme) const
{
    m_ghost.paint(painter, m_pointer, m_move->kind == MoveKind::copyFfn);
    const bool stays = !isOutside() && staysInPlace(m_document.scenario(), *m_move);
    const DragBadge badge = !refusal().isEmpty() && !stays ? DragBadge::noEntry
        : m_move->kind == MoveKind::move                   ? DragBadge::none
                                                           : DragBadge::plus;
    paintBadge(painter, m_pointer, badge, theme);
}

} // namespace flopsmith::ui
