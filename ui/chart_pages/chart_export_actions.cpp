// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/chart_export_actions.h"

#include "ui/chart_pages/export/chart_export_dialog.h"
#include "ui/charts/base/export.h"
#include "ui/theme/theme.h"
#include "ui/widgets/save_path.h"

#include <QDir>
#include <QMenu>

#include <array>

namespace flopsmith::ui {
namespace {

constexpr std::array<const char*, 5> kSuffixes{"png", "svg", "pdf", "csv", "tex"};

// A size that is readable on a slide or a page, in the aspect ratio of the screen.
QSize exportSize(const QWidget& view, const Figure& figure)
{
    constexpr int kWidth = 720;
    const double ratio = view.width() > 0 ? double(view.height()) / view.width() : 0.6;
    const int height = static_cast<int>(kWidth * std::clamp(ratio, 0.4, 1.2));
    return {kWidth, std::max(height, figure.minExportHeight())};
}

} // namespace

ChartExportActions::ChartExportActions(ChartPanel& panel, MessageBar& messages)
    : QObject(&panel)
    , m_panel(panel)
    , m_messages(messages)
{
    connect(&panel, &ChartPanel::copied, this, [this](const QString& sentence) {
        m_messages.show(MessageBar::Kind::note, sentence);
    });
}

void ChartExportActions::fill(QMenu& menu, const QString& namePrefix)
{
    menu.addAction(tr("&Export …"), this, [this] { exportAsChosen(); })
        ->setObjectName(namePrefix + QLatin1String("dialog"));
    menu.addSeparator();
    for (const char* suffix : kSuffixes) {
        const QString name = QLatin1String(suffix);
        QAction* action = menu.addAction(
            tr("Save as %1 …").arg(name.toUpper()), this, [this, name] { askAndSave(name); });
        action->setObjectName(namePrefix + name);
    }
    menu.addAction(tr("Save as SVG, texts as outlines …"),
                   this,
                   [this] { askAndSave(QStringLiteral("svg"), SvgText::asOutlines); })
        ->setObjectName(namePrefix + QLatin1String("outlines"));
    menu.addSeparator();
    menu.addAction(tr("&Copy"), this, [this] { copy(); })
        ->setObjectName(namePrefix + QLatin1String("copy"));
}

void ChartExportActions::askAndSave(const QString& suffix, SvgText texts)
{
    const QString title = m_panel.accessibleName();
    const QString start = QDir::home().filePath(
        title.toLower().replace(QLatin1Char(' '), QLatin1Char('-')) + QLatin1Char('.') + suffix);
    const QString path =
        askSavePath(m_panel, tr("Save %1").arg(title), start, QStringLiteral("*.%1").arg(suffix));
    if (!path.isEmpty()) {
        saveTo(path, texts);
    }
}

bool ChartExportActions::saveTo(const QString& path, SvgText texts)
{
    const Figure* figure = m_panel.view().figure();
    if (figure == nullptr) {
        return false;
    }
    const Status saved = exportChart(*figure,
                                     path,
                                     {.size = exportSize(m_panel.view(), *figure),
                                      .style = {.theme = lightTheme()},
                                      .svgText = texts});
    if (saved) {
        m_messages.show(MessageBar::Kind::note, tr("Saved %1").arg(QDir::toNativeSeparators(path)));
    } else {
        m_messages.show(MessageBar::Kind::error, QString::fromStdString(saved.error().message));
    }
    return saved.ok();
}

void ChartExportActions::exportAsChosen()
{
    FigureView& view = m_panel.view();
    const double shape = view.width() > 0 ? double(view.height()) / view.width() : 0.6;
    auto* dialog = new ChartExportDialog(
        m_panel.accessibleName(), [&view] { return view.figure(); }, shape, &m_panel);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ChartExportDialog::exported, this, [this](const QString& path) {
        m_messages.show(MessageBar::Kind::note, tr("Saved %1").arg(QDir::toNativeSeparators(path)));
    });
    dialog->open();
}

void ChartExportActions::copy()
{
    if (const Figure* figure = m_panel.view().figure()) {
        copyToClipboard(*figure, {.size = exportSize(m_panel.view(), *figure)});
        m_messages.show(MessageBar::Kind::note,
                        tr("%1 is on the clipboard as picture, drawing and table")
                            .arg(m_panel.accessibleName()));
    }
}

} // namespace flopsmith::ui

#include "moc_chart_export_actions.cpp"
