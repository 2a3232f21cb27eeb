// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/chart_feed.h"
#include "ui/document/document.h"
#include "ui/widgets/message_bar.h"

#include <QObject>
#include <QString>

QT_BEGIN_NAMESPACE
class QMenu;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// "Report …" in "File", "Export": the present design on two pages, under the document's lens and
/// for the device of the charts.
class ReportExport : public QObject
{
    Q_OBJECT

public:
    ReportExport(const Document& document,
                 const ChartFeed& charts,
                 MessageBar& messages,
                 QWidget& window);

    void addTo(QMenu& menu);

    /// Writes the report in the format of the file's suffix; shows a failure.
    bool saveTo(const QString& path);

private:
    void askAndSave();

    const Document& m_document;
    const ChartFeed& m_charts;
    MessageBar& m_messages;
    QWidget& m_window;
};

} // namespace flopsmith::ui
