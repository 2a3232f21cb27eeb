// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/why/stack_why.h"

#include "core/model/tree_path.h"
#include "core/why/part_why.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/document.h"
#include "ui/window/why/why_cards.h"

#include <QMouseEvent>

#include <utility>

namespace flopsmith::ui {
namespace {

std::string pathOf(const StackRow& row, const StackPart& part, const CostTree<Count>& tree)
{
    const std::string block = "blocks[" + std::to_string(row.firstBlock) + "]";
    switch (part.role) {
    case PartRole::embedding: return "embedding";
    case PartRole::encoderNorm: return "encoder_norm";
    case PartRole::finalNorm: return "final_norm";
    case PartRole::head: return "head";
    case PartRole::ffn: return block + "/ffn";
    case PartRole::mixer:
    case PartRole::cross: break;
    }
    return pathOfComponent(tree, part.component->id, nearestPath(tree, block));
}

} // namespace

StackWhy::StackWhy(const Document& document,
                   const ChartFeed& feed,
                   StackView& stack,
                   WhyCards& cards)
    : QObject(&stack)
    , m_document(document)
    , m_feed(feed)
    , m_stack(stack)
    , m_cards(cards)
{
    stack.viewport()->installEventFilter(this);
}

std::optional<StackWhy::Hit> StackWhy::hitAt(const QPoint& place) const
{
    const StackLayout& layout = m_stack.stackLayout();
    const QPointF point = m_stack.mapToScene(place);
    const int index = layout.rowAt(point);
    if (!layout.isRow(index)) {
        return std::nullopt;
    }
    const StackRow& row = layout.picture.rows[static_cast<std::size_t>(index)];
    const RowGeometry& geometry = layout.geometry.rows[static_cast<std::size_t>(index)];
    for (std::size_t i = 0; i < geometry.parts.size() && i < row.parts.size(); ++i) {
        const PartGeometry& part = geometry.parts[i];
        if (!row.parts[i].muted && (part.bar.contains(point) || part.value.contains(point))) {
            return Hit{.figure = {.path = pathOf(row, row.parts[i], m_document.costTree())},
                       .place = m_stack.mapFromScene(part.value).boundingRect()};
        }
    }
    return std::nullopt;
}

bool StackWhy::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::MouseButtonPress && event->type() != QEvent::MouseButtonRelease) {
        return QObject::eventFilter(watched, event);
    }
    const auto& mouse = static_cast<const QMouseEvent&>(*event);
    const std::optional<Hit> hit = mouse.button() == Qt::LeftButton && !mouse.modifiers()
        ? hitAt(mouse.position().toPoint())
        : std::nullopt;
    if (event->type() == QEvent::MouseButtonPress) {
        m_pressed = hit ? std::optional(hit->place) : std::nullopt;
    } else if (const auto pressed = std::exchange(m_pressed, std::nullopt);
               hit && pressed == hit->place) {
        // After the stack has answered the click and taken the focus.
        QMetaObject::invokeMethod(
            this,
            [this, hit] {
                const WhySource source(m_document, m_feed);
                m_cards.open(
                    whyOfPart(hit->figure, source.source()), *m_stack.viewport(), hit->place);
            },
            Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

} // namespace flopsmith::ui
