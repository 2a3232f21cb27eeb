// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_view.h"
#include "ui/charts/waterfall/waterfall_figure.h"

namespace flopsmith::ui {

/// From what one lens says to what another says.
class WaterfallView : public FigureView
{
    Q_OBJECT

public:
    explicit WaterfallView(QWidget* parent = nullptr)
        : FigureView(tr("Waterfall"), parent)
    {
        setObjectName(QStringLiteral("waterfallView"));
    }

    void setContent(const WaterfallChart& chart)
    {
        setFigure(std::make_unique<WaterfallFigure>(chart));
    }
};

} // namespace flopsmith::ui
