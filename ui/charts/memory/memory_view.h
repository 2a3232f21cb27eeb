// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_view.h"
#include "ui/charts/memory/memory_figure.h"

namespace flopsmith::ui {

/// What fills a device's memory.
class MemoryView : public FigureView
{
    Q_OBJECT

public:
    explicit MemoryView(QWidget* parent = nullptr)
        : FigureView(tr("Memory"), parent)
    {
        setObjectName(QStringLiteral("memoryView"));
    }

    void setContent(const MemoryChart& chart) { setFigure(std::make_unique<MemoryFigure>(chart)); }
};

} // namespace flopsmith::ui
