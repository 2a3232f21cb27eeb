// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/chart_drawing.h"

#include "core/io/version.h"
#include "ui/jobs/part_times.h"
#include "ui/theme/theme.h"

#include <QLocale>

#include <charconv>

namespace flopsmith::app {
namespace {

std::optional<int> parsedPixels(std::string_view text)
{
    constexpr int kFewest = 64;
    constexpr int kMost = 16'384;
    int pixels = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), pixels);
    const bool whole = result.ec == std::errc{} && result.ptr == text.data() + text.size();
    return whole && pixels >= kFewest && pixels <= kMost ? std::optional(pixels) : std::nullopt;
}

} // namespace

DrawingApplication::DrawingApplication()
    : m_arguments{m_name.data(), nullptr}
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!qEnvironmentVariableIsSet("XDG_RUNTIME_DIR")) { // else Qt complains to the terminal
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

std::vector<PartTime> partTimes(const MeasuringRun& run)
{
    std::vector<PartTime> times;
    for (std::size_t i = 0; i < run.outcome.parts.size(); ++i) {
        times.push_back(partTime(run.outcome.parts[i]));
        times.back().storedAt = run.storedAtOf(i);
    }
    return times;
}

Result<QSize> parsedSize(const std::string& text)
{
    const std::size_t cross = text.find('x');
    const auto width = parsedPixels(std::string_view(text).substr(0, cross));
    const auto height = cross == std::string::npos
        ? std::nullopt
        : parsedPixels(std::string_view(text).substr(cross + 1));
    if (!width || !height) {
        return Error{"--size " + text + ": expected WIDTHxHEIGHT, each 64 to 16384, as in 720x440"};
    }
    return QSize(*width, *height);
}

} // namespace flopsmith::app
