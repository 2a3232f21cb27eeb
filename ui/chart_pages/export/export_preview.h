// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QStackedWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QPlainTextEdit;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// What an exported file holds: a picture, made smaller where it is too large, or a text.
class ExportPreview : public QStackedWidget
{
    Q_OBJECT

public:
    explicit ExportPreview(QWidget* parent = nullptr);

    /// `size` in CSS pixels; the picture may have more.
    void showPicture(const QImage& picture, const QSize& size, const QString& summary);
    void showText(const QString& text);

    /// A sentence in place of both.
    void showProblem(const QString& sentence);

    const QImage& picture() const { return m_picture; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitPicture();

    QImage m_picture;
    QSize m_size;
    QLabel* m_shown;
    QPlainTextEdit* m_text;
};

} // namespace flopsmith::ui
