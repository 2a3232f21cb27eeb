// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/headline/headline.h"

#include <QAbstractButton>

QT_BEGIN_NAMESPACE
class QGridLayout;
class QPushButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChoiceChip;

/// One figure of the headline in large type: unit beside it, caption below it, and at the right the
/// difference from a baseline. A click asks why it is so.
class HeadlineTile : public QAbstractButton
{
    Q_OBJECT

public:
    HeadlineTile(HeadlineKind kind, const QString& accessibleName, QWidget* parent);

    HeadlineKind kind() const { return m_shown.kind; }
    const HeadlineFigure& shown() const { return m_shown; }

    /// `baseline` names what the difference is from: "against A".
    void setFigure(const HeadlineFigure& figure, const QString& baseline);

    /// Puts the choice of a device before the caption.
    void setChooser(ChoiceChip& chooser);

    /// Puts a button at the right end.
    void setButton(QPushButton& button);

    /// Everything but the caption, which is elided.
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QFont figureFont() const;
    QFont captionFont() const;
    int rightWidth() const;
    int captionWidth() const;
    int widthWith(int caption) const;
    QRect textPlace() const;
    QRect figureLine() const;
    QRect captionLine() const;
    void fitRows();
    void drawFigure(QPainter& painter) const;
    void drawDifference(QPainter& painter) const;
    void draw(QPainter& painter, const QRect& place, Qt::Alignment side, const QString& text) const;
    void tell();

    HeadlineFigure m_shown;
    QString m_name;
    QString m_baseline;
    QGridLayout* m_grid; ///< of the children
    ChoiceChip* m_chooser = nullptr;
    QPushButton* m_button = nullptr;
};

} // namespace flopsmith::ui
