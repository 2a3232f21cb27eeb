// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/lab/lab_chart.h"

#include <QAbstractButton>

namespace flopsmith::ui {

/// An arm of the lab with a sample of its line. One that was chosen has a cross at its end: a click
/// there, Delete and Backspace take it away; a control stays.
class ArmChip : public QAbstractButton
{
    Q_OBJECT

public:
    ArmChip(const LabSeries& series, const QString& help, QWidget* parent = nullptr);

    const QString& arm() const { return m_arm; }
    bool isChosen() const { return m_series.role == ArmRole::chosen; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void removed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRect crossPlace() const;

    LabSeries m_series;
    QString m_arm;
};

} // namespace flopsmith::ui
