// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

QT_BEGIN_NAMESPACE
class QLabel;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// One sentence across the window instead of a modal dialog: an error with its remedy, or a note.
/// Stays until it is closed or replaced.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    enum class Kind { note, error };
    void show(Kind kind, const QString& sentence);
    void clear();
    const QString& sentence() const { return m_sentence; }

    /// Redraws the icons in the current theme's colour.
    void updateIcons();

private:
    QLabel* m_text;
    QString m_sentence;
    QToolButton* m_close;
};

} // namespace flopsmith::ui
