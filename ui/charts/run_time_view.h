// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_view.h"
#include "ui/charts/run_time_figure.h"

namespace flopsmith::ui {

/// Measured times of every part against their lower bounds.
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
};

} // namespace flopsmith::ui
