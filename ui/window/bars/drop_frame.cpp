// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/drop_frame.h"

#include "ui/theme/theme.h"

#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QPainter>
#include <QUrl>

namespace flopsmith::ui {
namespace {

constexpr qreal kFrameLine = 4.0;
constexpr int kAroundCaption = 24;

// The first file of what is dragged, if it is one of this machine, else an address; else empty.
QString droppedFile(const QMimeData& mime)
{
    const QList<QUrl> urls = mime.urls();
    return urls.isEmpty()            ? QString()
        : urls.front().isLocalFile() ? urls.front().toLocalFile()
                                     : urls.front().toString();
}

QString captionOf(const QMimeData& mime)
{
    const QList<QUrl> urls = mime.urls();
    if (urls.isEmpty()) {
        return DropFrame::tr("Drop to open this text");
    }
    if (!urls.front().isLocalFile() && urls.front().scheme() != QLatin1String("flopsmith")) {
        return DropFrame::tr("Only files of this machine can be opened.");
    }
    const QString name = QFileInfo(droppedFile(mime)).fileName();
    return urls.size() == 1
        ? DropFrame::tr("Drop to open %1").arg(name)
        : DropFrame::tr("Drop to open %1, the first of %2").arg(name).arg(urls.size());
}

} // namespace

DropFrame::DropFrame(QWidget& window)
    : QWidget(&window)
    , m_window(window)
{
    setObjectName(QStringLiteral("dropFrame"));
    setAccessibleName(tr("Frame of a file over the window"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    window.setAcceptDrops(true);
    window.installEventFilter(this);
}

bool DropFrame::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::DragEnter) {
        auto& drag = *static_cast<QDragEnterEvent*>(event);
        if (drag.mimeData()->hasUrls() || drag.mimeData()->hasText()) {
            light(*drag.mimeData());
            drag.acceptProposedAction();
            return true;
        }
    } else if (event->type() == QEvent::DragLeave) {
        hide();
    } else if (event->type() == QEvent::Drop) {
        take(*static_cast<QDropEvent*>(event));
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void DropFrame::take(QDropEvent& event)
{
    hide();
    event.acceptProposedAction();
    const QMimeData& mime = *event.mimeData();
    if (mime.hasUrls()) {
        Q_EMIT dropped(droppedFile(mime));
    } else {
        Q_EMIT textDropped(mime.text());
    }
}

void DropFrame::light(const QMimeData& mime)
{
    m_text = captionOf(mime);
    setAccessibleName(m_text);
    setGeometry(m_window.rect());
    raise();
    show();
    update();
}

void DropFrame::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal half = kFrameLine / 2.0;
    painter.setPen(QPen(theme.accent, kFrameLine));
    painter.drawRect(QRectF(rect()).adjusted(half, half, -half, -half));
    const QString shown =
        fontMetrics().elidedText(m_text, Qt::ElideMiddle, width() - 2 * kAroundCaption);
    QRect caption(0,
                  0,
                  fontMetrics().horizontalAdvance(shown) + kAroundCaption,
                  fontMetrics().height() + kAroundCaption / 2);
    caption.moveCenter(rect().center());
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(caption, 6.0, 6.0);
    painter.setPen(theme.text);
    painter.drawText(caption, Qt::AlignCenter, shown);
}

} // namespace flopsmith::ui

#include "moc_drop_frame.cpp"
