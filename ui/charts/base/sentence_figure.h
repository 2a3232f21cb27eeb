// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure.h"

#include <utility>

namespace flopsmith::ui {

/// Replaces a figure that cannot be made by a sentence with the reason.
class SentenceFigure : public Figure
{
public:
    SentenceFigure(QString title, QString sentence)
        : m_title(std::move(title))
        , m_sentence(std::move(sentence))
    {}

    QString title() const override { return m_title; }
    QString summary() const override { return m_sentence; }
    QString emptyText() const override { return m_sentence; }
    FigureTable table() const override { return {}; }
    ChartTable shownTable() const override { return {}; }
    PgfPlot plot() const override { return {}; }

protected:
    Drawing contentDrawing(const QRectF&, const ChartStyle&) const override { return {}; }
    std::vector<Hotspot> contentHotspots(const QRectF&, const ChartStyle&) const override
    {
        return {};
    }

private:
    QString m_title;
    QString m_sentence;
};

} // namespace flopsmith::ui
