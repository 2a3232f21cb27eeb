// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_view.h"

#include <QPushButton>

namespace flopsmith::ui {

/// A large button below the sentence of a chart that is empty because nothing was measured. Where the
/// chart is narrow it does not name the device.
class MeasureOffer : public QPushButton
{
    Q_OBJECT

public:
    explicit MeasureOffer(FigureView& view);

    /// Offers to measure on this device while the chart is empty; an empty name offers nothing.
    void offerOn(const QString& device);

    void updateIcon();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showIfWanted();
    void fitText();

    FigureView& m_view;
    QString m_device;
};

} // namespace flopsmith::ui
