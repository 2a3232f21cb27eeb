// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_view.h"
#include "ui/charts/run_time/run_time_comparison_figure.h"
#include "ui/charts/run_time/run_time_figure.h"

namespace flopsmith::ui {

/// Measured times of every part, on one device or several, against their lower bounds.
class RunTimeView : public FigureView
{
    Q_OBJECT

public:
    explicit RunTimeView(QWidget* parent = nullptr)
        : FigureView(tr("Run time"), parent)
    {
        setObjectName(QStringLiteral("runTimeView"));
    }

    void setContent(const RunTimeTable& table)
    {
        setFigure(std::make_unique<RunTimeFigure>(table));
    }

    /// Several devices side by side, or one as ever.
    void setContent(const RunTimeComparison& comparison)
    {
        setFigure(figureOfRunTimes(comparison));
    }
};

} // namespace flopsmith::ui
