// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QLabel;
QT_END_NAMESPACE

namespace flopsmith::ui {

class LabSession;
class StopSlider;

/// The learning rate: found for each arm, or one for all that is set by hand on a logarithmic scale.
class RatePicker : public QWidget
{
    Q_OBJECT

public:
    explicit RatePicker(LabSession& session, QWidget* parent = nullptr);

    QCheckBox& automatic() { return *m_auto; }
    StopSlider& slider() { return *m_slider; }

    /// What was found for the arm that is trained, or the rate of all.
    void showRate();

Q_SIGNALS:
    void refused(const QString& sentence);

    /// Another rate has begun another lab, in which no earlier run counts.
    void begunAnew();

private:
    void take(bool tunes, double rate);
    double chosen() const;

    LabSession& m_session;
    QCheckBox* m_auto;
    StopSlider* m_slider;
    QLabel* m_text;
};

/// 0.003 as "3e-3", in the C locale.
QString learningRateText(double rate);

} // namespace flopsmith::ui
