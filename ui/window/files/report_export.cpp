// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/report_export.h"

#include "core/report/design_report.h"
#include "core/report/report_format.h"
#include "ui/report/report_files.h"
#include "ui/widgets/save_path.h"

#include <QAction>
#include <QDate>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMenu>
#include <QWidget>

namespace flopsmith::ui {

ReportExport::ReportExport(const Document& document,
                           const ChartFeed& charts,
                           MessageBar& messages,
                           QWidget& window)
    : QObject(&window)
    , m_document(document)
    , m_charts(charts)
    , m_messages(messages)
    , m_window(window)
{}

void ReportExport::addTo(QMenu& menu)
{
    QAction* action = menu.addAction(tr("&Report …"), this, &ReportExport::askAndSave);
    action->setObjectName(QStringLiteral("file.report"));
    action->setShortcut(QKeySequence(tr("Ctrl+Shift+E")));
    m_window.addAction(action); // so that the shortcut works while the menu is closed
}

void ReportExport::askAndSave()
{
    const QString file = m_document.file().path();
    const QString start = file.isEmpty() ? QDir::home().filePath(QStringLiteral("report.pdf"))
                                         : QFileInfo(file).absolutePath() + QLatin1Char('/')
            + QFileInfo(file).completeBaseName() + QStringLiteral(".pdf");
    const QString path = askSavePath(m_window, tr("Export a report"), start, reportFilter());
    if (!path.isEmpty()) {
        saveTo(path);
    }
}

bool ReportExport::saveTo(const QString& path)
{
    const std::string file = QFile::encodeName(path).toStdString();
    const Result<ReportFormat> format = reportFormatOf(file);
    Status done = format ? Status(Done{}) : format.error();
    if (format) {
        ReportRequest request{.scenario = m_document.scenario(),
                              .lens = m_document.lens(),
                              .date = QDate::currentDate().toString(Qt::ISODate).toStdString(),
                              .notes = m_document.notes()};
        if (const auto device = m_charts.metricBasis().on) {
            request.hardware = device->hardware;
        }
        done = writeReport(reportOf(request), *format, file);
    }
    if (done) {
        m_messages.show(MessageBar::Kind::note, tr("Saved %1").arg(QDir::toNativeSeparators(path)));
    } else {
        m_messages.show(MessageBar::Kind::error, QString::fromStdString(done.error().message));
    }
    return done.ok();
}

} // namespace flopsmith::ui

#include "moc_report_export.cpp"
