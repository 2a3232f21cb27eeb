// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

QT_BEGIN_NAMESPACE
class QLabel;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// One sentence across the window, in place of a box that must be answered: what went wrong and
/// what would be right, or what one should know. Stays until it is closed or overtaken.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    enum class Kind { note, error };
    void show(Kind kind, const QString& sentence);
    void clear();
    const QString& sentence() const { return m_sentence; }

    /// Draws the icons in the present theme's colour.
    void updateIcons();

private:
    QLabel* m_text;
    QString m_sentence;
    QToolButton* m_close;
};

} // namespace flopsmith::ui
