// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/paint/zoomed_painter.h"

#include "core/base/text.h"
#include "ui/theme/text_cache.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"

#include <QPainter>

#include <algorithm>
#include <string>

namespace flopsmith::ui {
namespace {

constexpr qreal kMark = 3.0; // width of the mark of a selected row
constexpr qreal kMinMark = 2.0; // its height, so that it is seen however small the row
constexpr qreal kStrip = 4.0; // height of the operations' bar
constexpr qreal kStripGap = 1.0; // between its pieces

void writeIn(QPainter& painter,
             const QRectF& place,
             const QString& shown,
             const QColor& pen,
             Qt::Alignment alignment)
{
    if (!place.isEmpty()) {
        const QFont font = painter.font();
        painter.setPen(pen);
        drawText(painter, place, alignment, font, elided(font, shown, place.width() + 1.0));
    }
}

void markSelected(QPainter& painter, const QRectF& frame, const Theme& theme)
{
    painter.fillRect(frame, theme.accentSoft);
    const qreal height = std::max(kMinMark, frame.height());
    painter.fillRect(QRectF(frame.left(), frame.center().y() - height / 2.0, kMark, height),
                     theme.accent);
}

} // namespace

void paintRowAsBar(QPainter& painter,
                   const StackRow& row,
                   const RowGeometry& geometry,
                   const RowLook& look,
                   const Theme& theme)
{
    if (look.selected || look.dropRow) {
        markSelected(painter, geometry.frame, theme);
    }
    for (std::size_t i = 0; i < geometry.bars.size(); ++i) {
        painter.fillRect(geometry.bars[i], colour(*row.parts[i].component));
    }
    const std::string title = row.title + (row.repeatText.empty() ? "" : " ") + row.repeatText;
    writeIn(painter, geometry.title, fromUtf8(title), theme.text, Qt::AlignLeft);
    const QString share = geometry.share > 0.0 ? fromUtf8(percentText(geometry.share)) : QString();
    const QString right = look.dropText.isEmpty() ? share : look.dropText;
    writeIn(painter, geometry.repeat, right, theme.mutedText, Qt::AlignRight);
}

void paintOperations(QPainter& painter,
                     const QRectF& place,
                     const std::vector<PartOperation>& operations,
                     const Theme& theme)
{
    const QRectF texts = place.adjusted(0.0, 0.0, 0.0, -kStrip);
    const QString line = fromUtf8(operationsText(operations));
    writeIn(painter, texts, line, theme.mutedText, Qt::AlignLeft);
    qreal x = place.left();
    for (const PartOperation& operation : operations) {
        const qreal width = place.width() * operation.share;
        painter.fillRect(
            QRectF(x, texts.bottom(), std::max(0.0, width - kStripGap), kStrip - kStripGap),
            colour(*operation.component));
        x += width;
    }
}

} // namespace flopsmith::ui
