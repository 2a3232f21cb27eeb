// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/stack_drag.h"

#include "ui/canvas/drag/drag_overlay.h"
#include "ui/canvas/drag/landing_rows.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/scenario_edit.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>
#include <utility>

// The gesture itself; what is painted meanwhile is in stack_drag_painting.cpp.

namespace flopsmith::ui {
namespace {

constexpr double kBetweenRows = 9.0; // pixels of a row's edge that belong to the gap beside it

MoveKind kindOf(Qt::KeyboardModifiers modifiers)
{
    if ((modifiers & Qt::ControlModifier) != 0) {
        return MoveKind::copyFfn;
    }
    return (modifiers & Qt::AltModifier) != 0 ? MoveKind::duplicate : MoveKind::move;
}

int rowOfRun(const StackPicture& picture, int run)
{
    for (std::size_t row = 0; row < picture.rows.size(); ++row) {
        if (picture.rows[row].kind == StackRow::Kind::run && picture.rows[row].run == run) {
            return static_cast<int>(row);
        }
    }
    return -1;
}

int ffnPartOf(const StackRow& row)
{
    for (std::size_t part = 0; part < row.parts.size(); ++part) {
        if (row.parts[part].role == PartRole::ffn) {
            return static_cast<int>(part);
        }
    }
    return -1;
}

} // namespace

StackDrag::StackDrag(Document& document, StackView& view)
    : QObject(&view)
    , m_document(document)
    , m_view(view)
    , m_gap(view)
    , m_scroller(view)
    , m_overlay(
          new DragOverlay(*view.viewport(), [this](QPainter& painter) { paintOverlay(painter); }))
{
    connect(&m_gap, &LandingGap::moved, this, [this] {
        m_view.viewport()->update();
        m_overlay->update();
    });
    connect(&document, &Document::scenarioChanged, this, &StackDrag::cancel);
    connect(view.verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        if (isActive()) {
            update();
        } else if (m_entry != nullptr) {
            showInsertion();
            m_view.lightDrop(*m_entry, m_pointer, m_modifiers);
        }
    });
}

void StackDrag::grab(const QPoint& place, Qt::KeyboardModifiers modifiers)
{
    m_view.refresh();
    const int row = m_view.rowAt(place);
    const int run = m_view.runOf(row);
    if (run < 0) {
        return;
    }
    const Selection& selection = m_document.selection();
    PickedBlocks picked{.runs = {run}, .current = run};
    if (selection.contains(run)) {
        picked.runs = selection.runs();
    }
    m_byKeys = false;
    m_pointer = place;
    m_modifiers = modifiers;
    begin({.picked = std::move(picked)});
    m_ghost.draw(m_view, m_move->picked.runs, row, place);
    follow(place, modifiers);
}

void StackDrag::follow(const QPoint& place, Qt::KeyboardModifiers modifiers)
{
    if (!isActive() || m_byKeys) {
        return;
    }
    m_pointer = place;
    m_modifiers = modifiers;
    m_scroller.follow(place);
    update();
}

void StackDrag::drop(const QPoint& place, Qt::KeyboardModifiers modifiers)
{
    if (!isActive() || m_byKeys) {
        return;
    }
    follow(place, modifiers);
    if (isOutside()) {
        cancel();
    } else if (!finishWith(modifiers)) {
        const QString why = refusal();
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
    m_view.refresh();
    m_view.setFocus();
    m_byKeys = true;
    m_modifiers = {};
    const PickedBlocks picked{.runs = selection.runs(), .current = selection.run};
    begin({.picked = picked});
    goTo(gapOf(m_document.model(), picked));
}

void StackDrag::press(const QKeyEvent& event)
{
    if (event.key() == Qt::Key_Escape) {
        cancel();
    } else if (m_byKeys) {
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
    if (m_byKeys) {
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

void StackDrag::carry(const PaletteEntry& entry,
                      const QPoint& place,
                      Qt::KeyboardModifiers modifiers)
{
    cancel(); // of blocks that were picked up by keys
    m_pointer = place;
    m_modifiers = modifiers;
    if ((modifiers & Qt::AltModifier) != 0) {
        m_altAt = place;
    }
    m_scroller.follow(place);
    if (std::exchange(m_entry, &entry) == nullptr) {
        Q_EMIT activeChanged();
        m_overlay->cover();
    }
    showInsertion();
}

void StackDrag::letGo()
{
    if (std::exchange(m_entry, nullptr) == nullptr) {
        return;
    }
    m_insertion.reset();
    m_altAt.reset();
    m_scroller.stop();
    m_gap.reset();
    m_overlay->hide();
    Q_EMIT activeChanged();
}

void StackDrag::showInsertion()
{
    const std::optional<int> gap = gapFor(*m_entry, m_pointer, m_modifiers);
    const bool opens = gap && whyNotInserted(m_document.scenario(), *m_entry, *gap).isEmpty();
    m_insertion = opens ? gap : std::nullopt;
    if (opens) {
        openGap(landingLine(rows(), *gap, true));
    } else {
        m_gap.close();
    }
    m_overlay->cover();
    m_view.viewport()->update();
}

std::optional<int> StackDrag::gapFor(const PaletteEntry& entry,
                                     const QPoint& place,
                                     Qt::KeyboardModifiers modifiers) const
{
    const bool wasHeld =
        m_altAt && (place - *m_altAt).manhattanLength() < QApplication::startDragDistance();
    if ((modifiers & Qt::AltModifier) != 0 || wasHeld) {
        return gapAt(place);
    }
    const double reach = kBetweenRows / m_view.transform().m22();
    const auto gap = gapBetweenRows(rows(), m_view.mapToScene(place).y(), reach);
    // Where nothing can be inserted, as in a pattern, the edge of a row is a part of it.
    return gap && whyNotInserted(m_document.scenario(), entry, *gap).isEmpty() ? gap : std::nullopt;
}

int StackDrag::gapAt(const QPoint& place) const
{
    return landingAt(rows(), m_view.mapToScene(place).y());
}

void StackDrag::openGap(double line)
{
    const double scale = m_view.transform().m22();
    m_gap.open(line, (QFontMetricsF(m_view.font()).height() + 10.0) / scale);
}

void StackDrag::begin(BlockMove move)
{
    m_move = std::move(move);
    m_told.clear();
    Q_EMIT activeChanged();
    m_overlay->cover();
}

void StackDrag::finish()
{
    m_move.reset();
    m_scroller.stop();
    m_gap.reset();
    m_overlay->hide();
    m_view.dropLight().set(std::nullopt);
    m_view.viewport()->unsetCursor();
    Q_EMIT activeChanged();
}

// Drops the blocks where they are to land; false if they cannot, which has been told.
bool StackDrag::finishWith(Qt::KeyboardModifiers modifiers)
{
    m_modifiers = modifiers;
    update();
    if (!refusal().isEmpty()) {
        return false;
    }
    const BlockMove move = *m_move;
    finish();
    tell({});
    applyMove(m_document, move);
    return true;
}

void StackDrag::takeModifiers(Qt::KeyboardModifiers modifiers)
{
    m_move->kind = kindOf(modifiers);
    m_move->picked.oneBlock =
        (modifiers & Qt::ShiftModifier) != 0 && m_move->kind != MoveKind::copyFfn;
}

void StackDrag::landAtPointer()
{
    const double y = m_view.mapToScene(m_pointer).y();
    const std::vector<LandingRow> all = rows();
    m_move->gap = landingAt(all, y);
    m_move->target = m_view.runOf(blocksAt(all, y));
}

void StackDrag::update()
{
    takeModifiers(m_modifiers);
    if (!m_byKeys) {
        landAtPointer();
    }
    showLanding();
    showTarget();
    showCursor();
    m_overlay->cover();
    m_overlay->update();
    m_view.viewport()->update();
    tell(sentence());
}

void StackDrag::step(int by, GapStep size)
{
    goTo(nextGap(m_document.model(), m_move->picked, m_move->gap, by, size));
}

void StackDrag::goTo(int gap)
{
    m_move->gap = gap;
    m_move->target = runPassed(m_document.model(), m_move->picked, gap);
    m_view.ensureVisible(QRectF(0.0, line(), 1.0, 1.0), 0, 60);
    update();
}

bool StackDrag::isOutside() const
{
    return !m_byKeys && !m_view.viewport()->rect().contains(m_pointer);
}

QString StackDrag::refusal() const
{
    return isOutside() ? tr("Outside the stack nothing is dropped.")
                       : whyNotMoved(m_document.scenario(), *m_move);
}

// What a drop would do, and what else the keys can do.
QString StackDrag::sentence() const
{
    const Scenario& scenario = m_document.scenario();
    const bool stays = !isOutside() && staysInPlace(scenario, *m_move);
    if (m_byKeys && stays) {
        const int blocks = blocksIn(scenario, m_move->picked.runs);
        return (blocks == 1 ? tr("1 block picked up") : tr("%1 blocks picked up").arg(blocks))
            + tr(" \u00B7 Up, Down: place, with Shift block by block \u00B7 Enter: drop \u00B7 "
                 "Esc: cancel");
    }
    const QString why = refusal();
    if (!why.isEmpty() && !stays) {
        return why;
    }
    const QString what = stays ? why : moveText(scenario, *m_move);
    if (m_byKeys) {
        return tr("%1 \u00B7 Enter: drop, with Alt duplicate, Ctrl copy the FFN \u00B7 Esc: cancel")
            .arg(what);
    }
    return kindOf(m_modifiers) == MoveKind::move && !m_move->picked.oneBlock
        ? tr("%1 \u00B7 Alt: duplicate \u00B7 Ctrl: copy the FFN \u00B7 Shift: one block").arg(what)
        : what;
}

void StackDrag::showLanding()
{
    if (m_move->kind == MoveKind::copyFfn || !refusal().isEmpty()) {
        m_gap.close();
        return;
    }
    openGap(line());
}

// The FFN that Ctrl would replace is lit like that under an entry of the palette.
void StackDrag::showTarget()
{
    const bool copies = m_move->kind == MoveKind::copyFfn && refusal().isEmpty();
    const int row = copies ? rowOfRun(m_view.picture(), m_move->target) : -1;
    if (row < 0) {
        m_view.dropLight().set(std::nullopt);
        return;
    }
    const StackRow& target = m_view.picture().rows[static_cast<std::size_t>(row)];
    m_view.dropLight().set(DropTarget{row, ffnPartOf(target)}, tr("copy the FFN"));
}

void StackDrag::showCursor()
{
    if (m_byKeys) {
        return;
    }
    const bool stays = !isOutside() && staysInPlace(m_document.scenario(), *m_move);
    m_view.viewport()->setCursor(!refusal().isEmpty() && !stays       ? Qt::ForbiddenCursor
                                     : m_move->kind == MoveKind::move ? Qt::DragMoveCursor
                                                                      : Qt::DragCopyCursor);
}

void StackDrag::tell(const QString& sentence)
{
    if (sentence == m_told) {
        return;
    }
    m_told = sentence;
    if (!sentence.isEmpty()) {
        m_overlay->announce(sentence);
    }
    Q_EMIT told(sentence);
}

std::vector<LandingRow> StackDrag::rows() const
{
    return landingRows(m_view.stackLayout(), m_document.model());
}

double StackDrag::line() const
{
    const auto current = static_cast<std::size_t>(m_move->picked.current);
    return landingLine(rows(), m_move->gap, m_document.model().runs.at(current).block.isEncoder());
}

} // namespace flopsmith::ui

#include "moc_stack_drag.cpp"
