// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/stack_drag.h"
#include "ui/canvas/stack_view.h"

#include <QDragEnterEvent>
#include <QMimeData>

// Dragging entries of the palette into the stack.

namespace flopsmith::ui {
namespace {

// The part of a run that an entry would replace or extend; -1 if it has none.
int partFor(const StackRow& row, const PaletteEntry& entry)
{
    const auto* mixer = std::get_if<MixerSpec>(&entry.spec);
    const PartRole wanted = mixer == nullptr ? PartRole::ffn
        : readsSource(*mixer)                ? PartRole::cross
                                             : PartRole::mixer;
    for (std::size_t i = 0; i < row.parts.size(); ++i) {
        if (row.parts[i].role == wanted) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

} // namespace

std::optional<DropTarget> StackView::dropTarget(const PaletteEntry& entry,
                                                const QPoint& place) const
{
    const int row = rowAt(place);
    if (row < 0) {
        return std::nullopt;
    }
    if (row == m_layout.rowCount()) {
        return canAppend(m_document.scenario(), entry) ? std::optional(DropTarget{row, -1})
                                                       : std::nullopt;
    }
    const StackRow& target = m_layout.picture.rows[static_cast<std::size_t>(row)];
    if (target.kind != StackRow::Kind::run || !canApply(m_document.scenario(), entry, target.run)) {
        return std::nullopt;
    }
    return DropTarget{row, partFor(target, entry)};
}

QString StackView::dropRefusal(const PaletteEntry& entry, const QPoint& place) const
{
    if (dropTarget(entry, place)) {
        return {};
    }
    const int row = rowAt(place);
    const Scenario& scenario = m_document.scenario();
    if (row == m_layout.rowCount()) {
        return whyNotAppended(scenario, entry);
    }
    if (row < 0) {
        return tr("Nothing can be dropped here: drop it on a block, or below the last row.");
    }
    const StackRow& over = m_layout.picture.rows[static_cast<std::size_t>(row)];
    return over.kind == StackRow::Kind::run
        ? whyNotApplied(scenario, entry, over.run)
        : tr("%1 is no block: drop it on a block, or below the last row.")
              .arg(QString::fromStdString(over.title));
}

bool StackView::drop(const PaletteEntry& entry, const QPoint& place, Extent extent)
{
    refresh();
    const auto target = dropTarget(entry, place);
    m_light.set(std::nullopt);
    Q_EMIT dropRefused(dropRefusal(entry, place));
    if (!target) {
        return false;
    }
    if (target->row == m_layout.rowCount()) {
        appendEntry(m_document, entry);
    } else {
        applyEntry(m_document,
                   entry,
                   m_layout.picture.rows[static_cast<std::size_t>(target->row)].run,
                   extent);
    }
    return true;
}

bool StackView::lightDrop(const PaletteEntry& entry,
                          const QPoint& place,
                          Qt::KeyboardModifiers modifiers)
{
    if (const auto gap = m_drag->gapFor(entry, place, modifiers)) {
        return lightInsertion(entry, *gap);
    }
    const auto target = dropTarget(entry, place);
    const bool one = (modifiers & Qt::ShiftModifier) != 0;
    const QString verb = entry.kind == PaletteKind::stage ? tr("add stage") : tr("replace");
    m_light.set(target, one ? tr("%1 in the first block").arg(verb) : verb);
    Q_EMIT dropRefused(dropRefusal(entry, place));
    if (target) {
        Q_EMIT dragTold(tr("Shift: into the first block only \u00B7 between two rows, or anywhere "
                           "with Alt: a block of its own"));
    }
    return target.has_value();
}

bool StackView::lightInsertion(const PaletteEntry& entry, int gap)
{
    const QString why = whyNotInserted(m_document.scenario(), entry, gap);
    m_light.set(std::nullopt);
    Q_EMIT dragTold(why.isEmpty() ? insertionText(m_document.scenario(), entry, gap) : why);
    return why.isEmpty();
}

bool StackView::insertAt(const PaletteEntry& entry, int gap)
{
    const QString why = whyNotInserted(m_document.scenario(), entry, gap);
    Q_EMIT dragTold(why);
    insertEntryAt(m_document, entry, gap);
    return why.isEmpty();
}

bool StackView::takeDrop(const PaletteEntry& entry,
                         const QPoint& place,
                         Qt::KeyboardModifiers modifiers)
{
    refresh();
    const bool one = (modifiers & Qt::ShiftModifier) != 0;
    const auto gap = m_drag->gapFor(entry, place, modifiers);
    m_drag->letGo();
    const bool taken = gap ? insertAt(entry, *gap)
                           : drop(entry, place, one ? Extent::firstBlock : Extent::wholeRun);
    m_light.set(std::nullopt);
    if (taken) {
        setFocus(Qt::OtherFocusReason); // keys go on with what was dropped
    }
    return taken;
}

void StackView::dragEnterEvent(QDragEnterEvent* event)
{
    if (paletteEntry(*event->mimeData()) != nullptr) {
        event->acceptProposedAction();
    } else {
        event->ignore(); // a file, which the window handles
    }
}

void StackView::dragMoveEvent(QDragMoveEvent* event)
{
    refresh();
    const QPoint place = event->position().toPoint();
    if (const PaletteEntry* entry = paletteEntry(*event->mimeData())) {
        m_drag->carry(*entry, place, event->modifiers());
        event->setAccepted(lightDrop(*entry, place, event->modifiers()));
    } else {
        event->ignore();
    }
}

void StackView::dragLeaveEvent(QDragLeaveEvent* event)
{
    m_light.set(std::nullopt);
    m_drag->letGo();
    Q_EMIT dragTold({});
    event->accept();
}

void StackView::dropEvent(QDropEvent* event)
{
    const PaletteEntry* entry = paletteEntry(*event->mimeData());
    event->setAccepted(entry != nullptr
                       && takeDrop(*entry, event->position().toPoint(), event->modifiers()));
}

} // namespace flopsmith::ui
