// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_view.h"

#include <QDrag>
#include <QDragEnterEvent>
#include <QMimeData>

// Drag and drop in the stack.

namespace flopsmith::ui {
namespace {

const QString kRunMimeType = QStringLiteral("application/x-flopsmith-run");

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

void StackView::startRunDrag(int row)
{
    if (row < 0 || row >= static_cast<int>(m_picture.rows.size())
        || m_picture.rows[static_cast<std::size_t>(row)].kind != StackRow::Kind::run) {
        return;
    }
    auto* mime = new QMimeData;
    mime->setData(kRunMimeType,
                  QByteArray::number(m_picture.rows[static_cast<std::size_t>(row)].run));
    auto* drag = new QDrag(this);
    drag->setMimeData(mime);
    const QRectF frame = m_geometry.rows[static_cast<std::size_t>(row)].frame;
    drag->setPixmap(viewport()->grab(mapFromScene(frame).boundingRect()));
    drag->exec(Qt::MoveAction);
}

std::optional<StackView::DropTarget> StackView::dropTarget(const PaletteEntry& entry,
                                                           const QPoint& place) const
{
    const int row = rowAt(place);
    if (row < 0) {
        return std::nullopt;
    }
    if (row == static_cast<int>(m_picture.rows.size())) {
        return canAppend(m_document.scenario(), entry) ? std::optional(DropTarget{row, -1})
                                                       : std::nullopt;
    }
    const StackRow& target = m_picture.rows[static_cast<std::size_t>(row)];
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
    if (row == static_cast<int>(m_picture.rows.size())) {
        return whyNotAppended(scenario, entry);
    }
    if (row < 0) {
        return tr("Nothing can be dropped here: drop it on a block, or below the last row.");
    }
    const StackRow& over = m_picture.rows[static_cast<std::size_t>(row)];
    return over.kind == StackRow::Kind::run
        ? whyNotApplied(scenario, entry, over.run)
        : tr("%1 is no block: drop it on a block, or below the last row.")
              .arg(QString::fromStdString(over.title));
}

bool StackView::drop(const PaletteEntry& entry, const QPoint& place, Extent extent)
{
    refresh();
    const auto target = dropTarget(entry, place);
    setDrop(std::nullopt);
    Q_EMIT dropRefused(dropRefusal(entry, place));
    if (!target) {
        return false;
    }
    if (target->row == static_cast<int>(m_picture.rows.size())) {
        appendEntry(m_document, entry);
    } else {
        applyEntry(
            m_document, entry, m_picture.rows[static_cast<std::size_t>(target->row)].run, extent);
    }
    return true;
}

void StackView::setDrop(std::optional<DropTarget> target, const QString& text)
{
    if (target == m_drop && text == m_dropText) {
        return;
    }
    m_drop = target;
    m_dropText = text;
    viewport()->update();
}

void StackView::dragEnterEvent(QDragEnterEvent* event)
{
    if (paletteEntry(*event->mimeData()) != nullptr || event->mimeData()->hasFormat(kRunMimeType)) {
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
        const auto target = dropTarget(*entry, place);
        const bool one = (event->modifiers() & Qt::ShiftModifier) != 0;
        const QString verb = entry->kind == PaletteKind::stage ? tr("add stage") : tr("replace");
        setDrop(target, one ? tr("%1 in the first block").arg(verb) : verb);
        Q_EMIT dropRefused(dropRefusal(*entry, place));
        event->setAccepted(target.has_value());
    } else if (event->mimeData()->hasFormat(kRunMimeType)) {
        const int row = rowAt(place);
        setDrop(DropTarget{row, -1}, tr("move here"));
        event->setAccepted(row >= 0);
    } else {
        event->ignore();
    }
}

void StackView::dragLeaveEvent(QDragLeaveEvent* event)
{
    setDrop(std::nullopt);
    event->accept();
}

void StackView::dropEvent(QDropEvent* event)
{
    const QPoint place = event->position().toPoint();
    bool taken = false;
    if (const PaletteEntry* entry = paletteEntry(*event->mimeData())) {
        const bool one = (event->modifiers() & Qt::ShiftModifier) != 0;
        taken = drop(*entry, place, one ? Extent::firstBlock : Extent::wholeRun);
    } else {
        taken = dropRun(*event->mimeData(), place);
    }
    setDrop(std::nullopt);
    event->setAccepted(taken);
}

bool StackView::dropRun(const QMimeData& mime, const QPoint& place)
{
    bool isNumber = false;
    const int run = mime.data(kRunMimeType).toInt(&isNumber);
    const int row = rowAt(place);
    const int runs = static_cast<int>(m_document.model().runs.size());
    if (!isNumber || run < 0 || run >= runs || row < 0) {
        return false;
    }
    // A drop below the blocks moves the run to the end, one above them to the start.
    int target = runs;
    if (row < static_cast<int>(m_picture.rows.size())) {
        const StackRow& over = m_picture.rows[static_cast<std::size_t>(row)];
        target = over.kind == StackRow::Kind::embedding ? 0 : over.run >= 0 ? over.run : runs;
    }
    const auto stackOf = [this](int each) {
        return m_document.model().runs[static_cast<std::size_t>(each)].block.stack;
    };
    const bool crosses = target < runs && stackOf(target) != stackOf(run);
    // A run that is dragged down goes behind the row under the pointer.
    target += target > run && target < runs ? 1 : 0;
    m_document.apply(tr("Move blocks"), [run, target](DocumentState& state) {
        state.selection = Selection::ofRun(moveRunTo(state.scenario, run, target));
    });
    Q_EMIT dropRefused(crosses ? tr("Blocks of the encoder stay before those of the decoder.")
                               : QString());
    return true;
}

} // namespace flopsmith::ui
