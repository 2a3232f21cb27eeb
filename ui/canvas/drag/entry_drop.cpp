// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/entry_drop.h"

#include "ui/canvas/drag/landing_rows.h"
#include "ui/document/block_move.h"

#include <QApplication>
#include <QDragEnterEvent>

#include <utility>

namespace flopsmith::ui {
namespace {

constexpr double kBetweenRows = 9.0; // pixels of a row's edge that belong to the gap beside it

// Of the part that an entry would replace or extend.
PartRole roleOf(const PaletteEntry& entry)
{
    const auto* mixer = std::get_if<MixerSpec>(&entry.spec);
    return mixer == nullptr   ? PartRole::ffn
        : readsSource(*mixer) ? PartRole::cross
                              : PartRole::mixer;
}

} // namespace

EntryDrop::EntryDrop(Document& document, StackSurface& surface, DragFeedback& feedback)
    : m_document(document)
    , m_surface(surface)
    , m_feedback(feedback)
{}

void EntryDrop::answer(QEvent& event)
{
    if (event.type() == QEvent::DragLeave) {
        leave();
        Q_EMIT hintChanged({});
        event.accept();
        return;
    }
    auto& drag = static_cast<QDropEvent&>(event); // of which the others are kinds
    const PaletteEntry* entry = paletteEntry(*drag.mimeData());
    const QPoint place = drag.position().toPoint();
    if (entry == nullptr) {
        drag.ignore(); // a file, which the window handles
    } else if (event.type() == QEvent::DragEnter) {
        drag.acceptProposedAction();
    } else {
        drag.setAccepted(event.type() == QEvent::Drop ? take(*entry, place, drag.modifiers())
                                                      : hover(*entry, place, drag.modifiers()));
    }
}

bool EntryDrop::hover(const PaletteEntry& entry,
                      const QPoint& place,
                      Qt::KeyboardModifiers modifiers)
{
    m_surface.refresh();
    m_entry = &entry;
    m_pointer = place;
    m_modifiers = modifiers;
    if ((modifiers & Qt::AltModifier) != 0) {
        m_altAt = place;
    }
    m_feedback.begin(*this);
    m_feedback.scrollAt(place);
    return show();
}

void EntryDrop::leave()
{
    if (std::exchange(m_entry, nullptr) != nullptr) {
        m_insertion.reset();
        m_altAt.reset();
        m_feedback.end();
    }
}

bool EntryDrop::show()
{
    const std::optional<int> gap = gapFor(*m_entry, m_pointer, m_modifiers);
    return gap ? showInsertion(*gap) : showTarget();
}

bool EntryDrop::showInsertion(int gap)
{
    const Scenario& scenario = m_document.scenario();
    const QString why = whyNotInserted(scenario, *m_entry, gap);
    m_insertion = why.isEmpty() ? std::optional(gap) : std::nullopt;
    if (m_insertion) {
        m_feedback.openGap(
            landingLine(landingRows(m_surface.stackLayout(), scenario.model), gap, true));
    } else {
        m_feedback.closeGap();
    }
    m_feedback.light().set(std::nullopt);
    m_feedback.update();
    Q_EMIT hintChanged(why.isEmpty() ? insertionText(scenario, *m_entry, gap) : why);
    return why.isEmpty();
}

bool EntryDrop::showTarget()
{
    const int row = m_surface.rowAt(m_pointer);
    const std::optional<DropTarget> over = target(*m_entry, row);
    const bool one = (m_modifiers & Qt::ShiftModifier) != 0;
    const QString verb = m_entry->kind == PaletteKind::stage ? tr("add stage") : tr("replace");
    m_insertion.reset();
    m_feedback.closeGap();
    m_feedback.light().set(over, one ? tr("%1 in the first block").arg(verb) : verb);
    m_feedback.update();
    Q_EMIT refused(refusal(*m_entry, row));
    if (over) {
        Q_EMIT hintChanged(
            tr("Shift: into the first block only \u00B7 between two rows, or anywhere "
               "with Alt: a block of its own"));
    }
    return over.has_value();
}

std::optional<DropTarget> EntryDrop::target(const PaletteEntry& entry, int row) const
{
    const Scenario& scenario = m_document.scenario();
    if (row == m_surface.stackLayout().rowCount()) {
        return canAppend(scenario, entry) ? std::optional(DropTarget{row, -1}) : std::nullopt;
    }
    const int run = m_surface.runOf(row);
    if (run < 0 || !canApply(scenario, entry, run)) {
        return std::nullopt;
    }
    return DropTarget{row, m_surface.stackLayout().partOf(row, roleOf(entry))};
}

QString EntryDrop::refusal(const PaletteEntry& entry, int row) const
{
    if (target(entry, row)) {
        return {};
    }
    const Scenario& scenario = m_document.scenario();
    if (row == m_surface.stackLayout().rowCount()) {
        return whyNotAppended(scenario, entry);
    }
    if (row < 0) {
        return tr("Nothing can be dropped here: drop it on a block, or below the last row.");
    }
    const int run = m_surface.runOf(row);
    const StackRow& over = m_surface.picture().rows[static_cast<std::size_t>(row)];
    return run >= 0 ? whyNotApplied(scenario, entry, run)
                    : tr("%1 is no block: drop it on a block, or below the last row.")
                          .arg(QString::fromStdString(over.title));
}

// The gap into which an entry would be inserted as a block of its own; none where it would go into
// a row. A key that was let go counts until the pointer moves on, because fingers do not leave a key
// and a button at once.
std::optional<int> EntryDrop::gapFor(const PaletteEntry& entry,
                                     const QPoint& place,
                                     Qt::KeyboardModifiers modifiers) const
{
    const std::vector<LandingRow> rows = landingRows(m_surface.stackLayout(), m_document.model());
    const double y = m_surface.mapToScene(place).y();
    const bool wasHeld =
        m_altAt && (place - *m_altAt).manhattanLength() < QApplication::startDragDistance();
    if ((modifiers & Qt::AltModifier) != 0 || wasHeld) {
        return landingAt(rows, y);
    }
    const auto gap = gapBetweenRows(rows, y, kBetweenRows / m_surface.transform().m22());
    // Where nothing can be inserted, as in a pattern, the edge of a row is a part of it.
    return gap && whyNotInserted(m_document.scenario(), entry, *gap).isEmpty() ? gap : std::nullopt;
}

bool EntryDrop::take(const PaletteEntry& entry,
                     const QPoint& place,
                     Qt::KeyboardModifiers modifiers)
{
    m_surface.refresh();
    const bool one = (modifiers & Qt::ShiftModifier) != 0;
    const auto gap = gapFor(entry, place, modifiers);
    leave();
    const bool taken = gap ? insertAt(entry, *gap)
                           : drop(entry, place, one ? Extent::firstBlock : Extent::wholeRun);
    if (taken) {
        m_surface.setFocus(Qt::OtherFocusReason); // keys go on with what was dropped
    }
    return taken;
}

bool EntryDrop::drop(const PaletteEntry& entry, const QPoint& place, Extent extent)
{
    m_surface.refresh();
    const int row = m_surface.rowAt(place);
    const std::optional<DropTarget> over = target(entry, row);
    m_feedback.light().set(std::nullopt);
    Q_EMIT refused(refusal(entry, row));
    if (!over) {
        return false;
    }
    if (row == m_surface.stackLayout().rowCount()) {
        appendEntry(m_document, entry);
    } else {
        applyEntry(m_document, entry, m_surface.runOf(row), extent);
    }
    return true;
}

bool EntryDrop::insertAt(const PaletteEntry& entry, int gap)
{
    const QString why = whyNotInserted(m_document.scenario(), entry, gap);
    Q_EMIT hintChanged(why);
    insertEntryAt(m_document, entry, gap);
    return why.isEmpty();
}

bool EntryDrop::isFaint(int row) const
{
    if (m_insertion) {
        return false;
    }
    const Scenario& scenario = m_document.scenario();
    const int run = m_surface.runOf(row);
    const bool takes = row == m_surface.stackLayout().rowCount()
        ? canAppend(scenario, *m_entry)
        : run >= 0 && canApply(scenario, *m_entry, run);
    return !takes;
}

void EntryDrop::paintOverlay(QPainter& painter, const Theme& theme) const
{
    if (m_insertion) {
        m_feedback.paintGapWith(painter, gapText(m_document.model(), *m_insertion), theme);
    }
}

} // namespace flopsmith::ui

#include "moc_entry_drop.cpp"
