// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

QT_BEGIN_NAMESPACE
class QBoxLayout;
class QLabel;
class QLineEdit;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A small bar in the upper right corner of its parent, into which a search text is typed.
class FindBar : public QFrame
{
    Q_OBJECT

public:
    explicit FindBar(QWidget& parent);

    QString query() const;
    QLineEdit& box() { return *m_box; }

    /// Shows the bar with its text selected, ready to type.
    void open();

    /// "2 of 5", or that nothing was found.
    void say(const QString& text);
    QString resultText() const;

    /// Moves the bar into the corner of the area.
    void fit(const QRect& area);

Q_SIGNALS:
    void queryChanged();

    /// To the next (1) or previous (−1) match.
    void stepped(int by);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void addButton(QBoxLayout& line,
                   const QString& name,
                   const QString& text,
                   const QString& accessibleName,
                   void (FindBar::*pressed)());
    void next() { Q_EMIT stepped(1); }
    void previous() { Q_EMIT stepped(-1); }
    void leave() { Q_EMIT closed(); }

    QLineEdit* m_box;
    QLabel* m_result;
    QRect m_area;
};

} // namespace flopsmith::ui
