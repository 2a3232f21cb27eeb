// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_view.h"
#include "ui/charts/mislead/mislead_figure.h"

namespace flopsmith::ui {

/// The parts whose share of the time is not that of the FLOPs, and why.
class MisleadView : public FigureView
{
    Q_OBJECT

public:
    explicit MisleadView(QWidget* parent = nullptr)
        : FigureView(tr("Where FLOPs mislead"), parent)
    {
        setObjectName(QStringLiteral("misleadView"));
    }

    void setContent(const MisleadTable& table)
    {
        setFigure(std::make_unique<MisleadFigure>(table));
    }
};

} // namespace flopsmith::ui
