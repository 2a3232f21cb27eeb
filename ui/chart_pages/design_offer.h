// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_view.h"
#include "ui/document/document.h"

#include <QObject>

namespace flopsmith::ui {

/// Offers the design of a chart's spot in a small menu, "Use d_model 1024, layers 12", to be taken
/// over as one undo step; says why where there is no such design.
class DesignOffer : public QObject
{
    Q_OBJECT

public:
    DesignOffer(Document& document, FigureView& view);

private:
    void offer(int spot, const QPoint& place);
    void take(const SpotDesign& design, const QString& text);

    Document& m_document;
    FigureView& m_view;
};

} // namespace flopsmith::ui
