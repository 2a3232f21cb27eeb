// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_view.h"
#include "ui/document/document.h"

#include <QObject>

namespace flopsmith::ui {

/// Offers the design of a hotspot that is clicked, or chosen with Enter, in a small menu, "Use
/// d_model 1024, layers 12": it becomes the document's design as one undo step. Says why if there
/// is no such design.
class DesignOffer : public QObject
{
    Q_OBJECT

public:
    DesignOffer(Document& document, FigureView& view);

    /// Whether the hotspot has a design.
    bool offer(int hotspot);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void take(const HotspotDesign& design, const QString& text);

    Document& m_document;
    FigureView& m_view;
};

} // namespace flopsmith::ui
