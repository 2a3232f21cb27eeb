// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>

QT_BEGIN_NAMESPACE
class QLabel;
class QScrollArea;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Explains something in a box over the window: it takes the focus, and returns it on Esc or
/// Return. It closes when it loses the focus.
class Explainer : public QFrame
{
    Q_OBJECT

public:
    /// The one of the window, which is created on first use.
    static Explainer& of(QWidget& window);

    /// Shows rich text below a place of the window, or above it where there is more space.
    void open(const QString& richText, const QRect& place);

    /// Shows the whatsThis() of the widget or its nearest ancestor with one. False if there is
    /// none.
    static bool openFor(QWidget& widget);

    QString shownText() const;

Q_SIGNALS:
    /// A link of the text; the box closes.
    void linkFollowed(const QString& link);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    explicit Explainer(QWidget& window);

    void fit(const QRect& place);
    void dismiss();

    QScrollArea* m_area;
    QLabel* m_text;
    QPointer<QWidget> m_before; ///< that had the focus
};

/// Gives the widget a rich text for Shift+F1 and an entry "What is this?" in its context menu.
void explainWith(QWidget& widget, const QString& richText);

} // namespace flopsmith::ui
