// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/chart_panel.h"
#include "ui/charts/base/svg_text.h"
#include "ui/widgets/message_bar.h"

#include <QObject>

namespace flopsmith::ui {

/// Actions that export a chart by a dialog, save it at once as PNG, SVG, PDF, CSV or LaTeX, and copy
/// it, in the chart's own menu and in the "Export" menu.
class ChartExportActions : public QObject
{
    Q_OBJECT

public:
    ChartExportActions(ChartPanel& panel, MessageBar& messages);

    void fill(QMenu& menu, const QString& namePrefix);

    /// Writes the chart to a file in the format of its suffix; shows a failure.
    bool saveTo(const QString& path, SvgText texts = SvgText::asText);

    void copy();

    /// Opens the dialog that exports the chart as the person chooses.
    void exportAsChosen();

private:
    void askAndSave(const QString& suffix, SvgText texts = SvgText::asText);

    ChartPanel& m_panel;
    MessageBar& m_messages;
};

} // namespace flopsmith::ui
