// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_view.h"
#include "ui/charts/claims/claims_figure.h"

namespace flopsmith::ui {

/// What the founding notes claim, beside what is counted and measured.
class ClaimsView : public FigureView
{
    Q_OBJECT

public:
    explicit ClaimsView(QWidget* parent = nullptr)
        : FigureView(tr("Claims"), parent)
    {
        setObjectName(QStringLiteral("claimsView"));
    }

    void setContent(const ClaimsChart& chart) { setFigure(std::make_unique<ClaimsFigure>(chart)); }
};

} // namespace flopsmith::ui
