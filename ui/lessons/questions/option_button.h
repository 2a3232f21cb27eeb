// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

QT_BEGIN_NAMESPACE
class QLabel;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A large button whose text may have several lines.
class OptionButton : public QPushButton
{
    Q_OBJECT

public:
    OptionButton(const QString& text, QWidget* parent);

    void setWords(const QString& text);

    /// After the reveal: it can no longer be chosen, and the right one is emphasized.
    void setDecided(bool isRight);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    QLabel* m_words;
};

} // namespace flopsmith::ui
