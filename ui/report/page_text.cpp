// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/page_text.h"

#include <QPainter>
#include <QTextBlock>
#include <QTextLayout>
#include <QTextOption>

namespace flopsmith::ui {

std::shared_ptr<QTextDocument> laidOut(const QString& html, const QFont& font, double width)
{
    auto document = std::make_shared<QTextDocument>();
    QTextOption option;
    option.setUseDesignMetrics(true);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document->setDocumentMargin(0);
    document->setDefaultTextOption(option);
    document->setDefaultFont(font);
    document->setUndoRedoEnabled(false);
    document->setHtml(html);
    document->setTextWidth(width);
    document->size(); // lays it out
    return document;
}

void paintText(QPainter& painter,
               const QPointF& place,
               const QTextDocument& text,
               const QColor& colour)
{
    painter.setPen(colour);
    for (QTextBlock block = text.begin(); block.isValid(); block = block.next()) {
        const QPointF origin = place + block.layout()->position();
        for (int i = 0; i < block.layout()->lineCount(); ++i) {
            block.layout()->lineAt(i).draw(&painter, origin);
        }
    }
}

} // namespace flopsmith::ui
