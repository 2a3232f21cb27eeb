// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/values/value_box.h"

#include <QFrame>
#include <QToolButton>

QT_BEGIN_NAMESPACE
class QLabel;
class QMenu;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A rounded button of the tool bar with a caption and the current choice: "Model  GPT-2 ▾". A
/// click opens its menu.
class ChoiceChip : public QToolButton
{
    Q_OBJECT

public:
    /// The caption may be empty; `accessibleName` names the property that is chosen.
    ChoiceChip(const QString& name,
               const QString& caption,
               const QString& accessibleName,
               QWidget* parent = nullptr);

    /// The current choice, which is also part of the accessible name.
    void setValue(const QString& value);
    const QString& value() const { return m_value; }

    /// Minimum and maximum width of the value in characters. The caption is dropped first if the
    /// bar is too narrow. With equal numbers the chip keeps its full width.
    void setCharacters(int min, int max);

    /// Without a frame, in small muted type: inside a line of text.
    void setFlat(bool flat);

    /// Opens this menu from now on instead of its own.
    void setChoices(QMenu& menu);
    QMenu& choices() { return *m_menu; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int captionWidth() const;
    int valueWidth(int characters) const;
    int padding() const;
    int leastHeight() const;
    QFont valueFont() const;

    QString m_caption;
    QString m_accessibleName;
    QString m_value;
    QMenu* m_menu;
    int m_minCharacters = 28;
    int m_maxCharacters = 28;
    bool m_isFlat = false;
};

/// A rounded box of the tool bar with a caption and a number: "S 1024".
class NumberChip : public QFrame
{
    Q_OBJECT

public:
    NumberChip(const QString& name,
               const QString& caption,
               const QString& accessibleName,
               QWidget* parent = nullptr);

    ValueBox& box() { return *m_box; }

protected:
    void changeEvent(QEvent* event) override;

private:
    ValueBox* m_box;
};

} // namespace flopsmith::ui
