// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/export/export_preview.h"

#include "ui/theme/theme.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kAround = 12; ///< pixels between the picture and the edge
constexpr int kShownCharacters = 20'000; ///< of a text, which is written whole

} // namespace

ExportPreview::ExportPreview(QWidget* parent)
    : QStackedWidget(parent)
    , m_shown(new QLabel(this))
    , m_text(new QPlainTextEdit(this))
{
    setObjectName(QStringLiteral("chartExport.preview"));
    setAccessibleName(tr("Preview"));
    m_shown->setObjectName(QStringLiteral("chartExport.picture"));
    m_shown->setAccessibleName(tr("Preview of the figure"));
    m_shown->setAlignment(Qt::AlignCenter);
    m_shown->setTextFormat(Qt::PlainText);
    m_shown->setWordWrap(true);
    m_shown->setMinimumSize(1, 1); // it follows the window, not the picture
    m_text->setObjectName(QStringLiteral("chartExport.text"));
    m_text->setAccessibleName(tr("Preview of the text"));
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    addWidget(m_shown);
    addWidget(m_text);
}

void ExportPreview::showPicture(const QImage& picture, const QSize& size, const QString& summary)
{
    m_picture = picture;
    m_size = size;
    m_shown->setAccessibleDescription(summary);
    setCurrentWidget(m_shown);
    fitPicture();
}

void ExportPreview::showText(const QString& text)
{
    m_picture = {};
    m_text->setPlainText(text.left(kShownCharacters));
    setCurrentWidget(m_text);
}

void ExportPreview::showProblem(const QString& sentence)
{
    m_picture = {};
    m_shown->setText(sentence);
    setCurrentWidget(m_shown);
}

void ExportPreview::resizeEvent(QResizeEvent* event)
{
    QStackedWidget::resizeEvent(event);
    fitPicture();
}

// As large as on paper, if there is space.
void ExportPreview::fitPicture()
{
    if (m_picture.isNull()) {
        return;
    }
    const QSize space = size() - QSize(2 * kAround, 2 * kAround);
    const bool fits = m_size.width() <= space.width() && m_size.height() <= space.height();
    const QSize shown = fits ? m_size : m_size.scaled(space, Qt::KeepAspectRatio);
    if (shown.isEmpty()) {
        return;
    }
    const double ratio = devicePixelRatioF();
    QPixmap pixmap = QPixmap::fromImage(
        m_picture.scaled(shown * ratio, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    QPainter painter(&pixmap); // the edge of the page
    painter.setPen(QPen(systemTheme().panelBorder, ratio));
    painter.drawRect(pixmap.rect().adjusted(0, 0, -1, -1));
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    m_shown->setPixmap(pixmap);
}

} // namespace flopsmith::ui

#include "moc_export_preview.cpp"
