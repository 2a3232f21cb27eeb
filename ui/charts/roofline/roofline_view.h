// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_view.h"
#include "ui/charts/roofline/roofline_figure.h"

namespace flopsmith::ui {

/// Where the operations stand under a device's roofs.
class RooflineView : public FigureView
{
    Q_OBJECT

public:
    explicit RooflineView(QWidget* parent = nullptr)
        : FigureView(tr("Roofline"), parent)
    {
        setObjectName(QStringLiteral("rooflineView"));
    }

    void setContent(const RooflineChart& chart)
    {
        setFigure(std::make_unique<RooflineFigure>(chart));
    }
};

} // namespace flopsmith::ui
