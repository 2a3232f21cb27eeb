// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_view.h"
#include "ui/charts/share/share_figure.h"

namespace flopsmith::ui {

/// Donuts of FLOPs, measured time, parameters and bytes.
class ShareView : public FigureView
{
    Q_OBJECT

public:
    explicit ShareView(QWidget* parent = nullptr)
        : FigureView(tr("Share"), parent)
    {
        setObjectName(QStringLiteral("shareView"));
    }

    void setContent(const Donuts& donuts) { setFigure(std::make_unique<ShareFigure>(donuts)); }
};

} // namespace flopsmith::ui
