// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QTextEdit;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A note on a card: what it is about, and its text, which is edited in place. Enter or a double
/// click begins; Esc, Ctrl+Enter or leaving the card takes the text over, as the card says meanwhile.
class NoteCardView : public QWidget
{
    Q_OBJECT

public:
    explicit NoteCardView(const QString& name, QWidget* parent);

    void setNote(const QString& about, const QString& text);

    /// For a width in pixels.
    int heightFor(int width) const;

    void edit();
    bool isEditing() const;

Q_SIGNALS:
    /// A text was taken over; it may be empty.
    void typed(const QString& text);

    /// Editing has ended with the text as it was.
    void cancelled();

    void deletionRequested();

    /// It got the focus, or another height while it is edited.
    void chosen();
    void heightChanged();

    /// The neighbour above (−1) or below (1) is wanted, or what the card is beside (0).
    void stepRequested(int by);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int headHeight() const;
    int footHeight() const;
    QString keysText(qreal width) const;
    void end();

    QString m_about;
    QString m_before; ///< the text before it is edited
    QTextEdit* m_text;
};

} // namespace flopsmith::ui
