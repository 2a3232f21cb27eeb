// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_drawing.h"

#include "core/io/project/version.h"
#include "core/present/base/pixel_size.h"
#include "ui/theme/theme.h"

#include <QLocale>

namespace flopsmith::app {

DrawingApplication::DrawingApplication()
    : m_arguments{m_name.data(), nullptr}
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!qEnvironmentVariableIsSet("XDG_RUNTIME_DIR")) { // otherwise Qt prints a warning
        qputenv("XDG_RUNTIME_DIR", m_runtimeFolder.path().toLocal8Bit());
    }
    m_application.emplace(m_argumentCount, m_arguments.data());
    QLocale::setDefault(QLocale::c());
    const std::string_view version = programVersion();
    QApplication::setApplicationName(QStringLiteral("Flopsmith"));
    QApplication::setApplicationVersion(
        QString::fromUtf8(version.data(), static_cast<qsizetype>(version.size())));
    ui::applyTheme(*m_application, ui::lightTheme());
}

Result<QSize> parsedSize(const std::string& text)
{
    const Result<PixelSize> size = parsedPixelSize(text);
    return size ? Result<QSize>(QSize(size->width, size->height)) : size.error();
}

} // namespace flopsmith::app
