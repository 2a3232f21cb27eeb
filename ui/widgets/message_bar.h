// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QTimer>

#include <functional>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// One sentence over the lower edge of its parent instead of a modal dialog: an error with its
/// remedy, or a note. It covers the content and moves nothing. An error stays until it is closed or
/// replaced; a note disappears after enough time to read it, but not under the pointer.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    /// Its place is above this line at the lower edge of the parent.
    void floatAbove(QWidget& line);

    enum class Kind { note, error };

    /// What can be done about the sentence: "Undo". It closes the message.
    struct Action
    {
        QString text{};
        std::function<void()> run{};
    };

    void show(Kind kind, const QString& sentence) { show(kind, sentence, Action()); }
    void show(Kind kind, const QString& sentence, const Action& action);
    void clear();
    const QString& sentence() const { return m_sentence; }

    /// How long a note of this length stays, in milliseconds.
    static int readingTime(const QString& sentence);

    /// Redraws the icons in the current theme's colour.
    void updateIcons();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void place();
    void waitIfNote();

    QLabel* m_text;
    QString m_sentence;
    Kind m_kind = Kind::note;
    QPushButton* m_act; ///< hidden without an action
    std::function<void()> m_action;
    QToolButton* m_close;
    QWidget* m_line = nullptr;
    QTimer m_gone{this};
};

} // namespace flopsmith::ui
