// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QMimeData;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// The first file of what is dragged, if it is one of this machine; else empty.
QString droppedFile(const QMimeData& mime);

/// Lights a whole window while a file hovers over it, and says what dropping it does.
class DropFrame : public QWidget
{
    Q_OBJECT

public:
    explicit DropFrame(QWidget& window);

    void light(const QMimeData& mime);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget& m_window;
    QString m_text;
};

} // namespace flopsmith::ui
