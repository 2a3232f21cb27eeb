// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_view.h"
#include "ui/charts/scaling/scaling_figure.h"

#include <functional>
#include <memory>

namespace flopsmith::ui {

/// Curves of a metric over one parameter.
class ScalingView : public FigureView
{
    Q_OBJECT

public:
    explicit ScalingView(QWidget* parent = nullptr)
        : FigureView(tr("Scaling"), parent)
    {
        setObjectName(QStringLiteral("scalingView"));
    }

    void setContent(const ScalingChart& chart)
    {
        setFigure(std::make_unique<ScalingFigure>(chart));
    }

    /// Curves that are computed only if the view is painted: a hundred points cost more than
    /// drawing them.
    void setContentSource(const std::function<ScalingChart()>& chart)
    {
        setSource([chart]() -> std::unique_ptr<Figure> {
            return std::make_unique<ScalingFigure>(chart());
        });
    }
};

} // namespace flopsmith::ui
