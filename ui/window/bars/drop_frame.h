// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QDropEvent;
class QMimeData;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Lights a whole window while a file or a text hovers over it, says what dropping it does, and takes
/// it.
class DropFrame : public QWidget
{
    Q_OBJECT

public:
    explicit DropFrame(QWidget& window);

    void light(const QMimeData& mime);

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void dropped(const QString& path); ///< or the address of what is no file of this machine
    void textDropped(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void take(QDropEvent& event);

    QWidget& m_window;
    QString m_text;
};

} // namespace flopsmith::ui
