// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/start_window.h"

#include "app/charts/chart_drawing.h"
#include "app/terminal/outcome.h"
#include "core/base/text_file.h"
#include "core/exercise/exercise_reading.h"
#include "core/io/journal/journal_file.h"
#include "core/io/project/version.h"
#include "core/share/open_model.h"
#include "core/teach/format/lesson_lookup.h"
#include "ui/window/run_window.h"

#include <QUrl>

#include <filesystem>
#include <system_error>

namespace flopsmith::app {
namespace {

bool hasDisplay()
{
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY")
        || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

Outcome noDisplay()
{
    return Outcome::failure(ExitCode::deviceUnavailable,
                            "there is no display for the window (DISPLAY and WAYLAND_DISPLAY are "
                            "not set); flopsmith demo -o DIR needs none, nor do the other commands "
                            "(flopsmith help)");
}

// A desktop may pass a file as a URL, as it does with links.
std::string pathOf(const std::string& file)
{
    const QUrl address(QString::fromStdString(file));
    return address.isLocalFile() ? address.toLocalFile().toStdString() : file;
}

// A mistyped command looks like a file that is not there.
Outcome noSuchFile(const Error& error)
{
    return Outcome::failure(ExitCode::badInput,
                            error.message + "; flopsmith help lists the commands");
}

template <class T>
Status statusOf(const Result<T>& result)
{
    return result ? Status(Done{}) : Status(result.error());
}

// Problems of an existing file are shown in the window, because a file manager shows no terminal.
Status checkedFile(const WindowRequest& request)
{
    std::error_code failed;
    const bool windowReports =
        request.screenshot.empty() && hasDisplay() && std::filesystem::exists(request.file, failed);
    if (request.file.empty() || windowReports) {
        return Done{};
    }
    switch (namedKind(request.file)) {
    case NamedKind::lesson: return statusOf(lessonNamed(request.file));
    case NamedKind::exercise: return statusOf(exerciseNamed(request.file));
    case NamedKind::answer: return statusOf(textOfFile(request.file)); // which the window reads
    case NamedKind::lab: return statusOf(textOfFile(request.file));
    case NamedKind::model:
    case NamedKind::text:
    case NamedKind::shareCode: break;
    }
    return statusOf(openedModel(request.file, Illegal::repair));
}

Result<ui::WindowOptions> windowOptions(const WindowRequest& request)
{
    const StoreChoice store = request.store.choice();
    ui::WindowOptions options{
        .file = QString::fromStdString(request.file),
        .last = request.last,
        .theme = QString::fromStdString(request.theme),
        .size = {},
        .screenshot = QString::fromStdString(request.screenshot),
        .actions = {},
        .journal = QString::fromStdString(journalFolder().string()),
        .store = QString::fromStdString(store.used ? store.file.string() : std::string{}),
        .measured = request.measured,
        .lecture = request.lecture};
    for (const std::string& action : request.actions) {
        options.actions << QString::fromStdString(action);
    }
    if (!request.size.empty()) {
        FLOPSMITH_TRY(const QSize size, parsedSize(request.size));
        options.size = size;
    }
    return options;
}

} // namespace

int startWindow(const WindowRequest& asked, int argc, char** argv)
{
    WindowRequest request = asked;
    request.file = pathOf(asked.file);
    Result<ui::WindowOptions> options = windowOptions(request);
    if (!options) {
        return delivered(Outcome::failure(ExitCode::wrongUsage, options.error().message));
    }
    options->startPage = argc == 1; // with an option a certain window is wanted
    if (const Status file = checkedFile(request); !file) {
        return delivered(noSuchFile(file.error()));
    }
    if (!hasDisplay()) {
        return delivered(noDisplay());
    }
    QApplication application(argc, argv);
    const std::string_view version = programVersion();
    QApplication::setApplicationVersion(
        QString::fromUtf8(version.data(), static_cast<qsizetype>(version.size())));
    return ui::runWindow(application, *options);
}

} // namespace flopsmith::app
