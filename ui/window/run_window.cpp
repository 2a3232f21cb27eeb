// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/run_window.h"

#include "core/base/text_file.h"
#include "core/model/presets.h"
#include "ui/document/recent_files.h"
#include "ui/measuring/measuring_control.h"
#include "ui/theme/theme.h"
#include "ui/window/file_actions.h"
#include "ui/window/files/ending_signals.h"
#include "ui/window/files/question_bars.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QBuffer>
#include <QFile>
#include <QTimer>

#include <cstdio>

namespace flopsmith::ui {
namespace {

constexpr int kSettleMilliseconds = 400; // long enough for layouts and first paint events

void nameApplication()
{
    QCoreApplication::setOrganizationName(QStringLiteral("flopsmith"));
    QCoreApplication::setApplicationName(QStringLiteral("flopsmith"));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Flopsmith"));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.flopsmith.Flopsmith"));
}

ThemeChoice themeChoice(const QString& name)
{
    if (name == QLatin1String("light")) {
        return ThemeChoice::light;
    }
    return name == QLatin1String("dark") ? ThemeChoice::dark
        : name.isEmpty()                 ? storedThemeChoice()
                                         : ThemeChoice::system;
}

void openStart(MainWindow& window, const WindowOptions& options)
{
    if (const auto preset = presetNamed(options.file.toStdString())) {
        window.document().start({.model = *preset});
    } else if (!options.file.isEmpty()) {
        window.openFile(options.file);
    } else if (options.last
               || (options.screenshot.isEmpty() && storedOpenLast() && !recentFiles().isEmpty())) {
        window.files().openLast();
    }
}

// Not over a question about unsaved work, nor over the file of last time.
bool startsWithPage(MainWindow& window, const WindowOptions& options)
{
    const bool asked = !window.questions().sentence(QStringLiteral("unsavedWork")).isEmpty();
    const bool opensLast = storedOpenLast() && !recentFiles().isEmpty();
    return options.startPage && storedStartPage() && !asked && !opensLast;
}

// Runs the window interactively.
int runForPerson(MainWindow& window, const WindowOptions& options)
{
    const EndingSignals signals([&window] { window.files().flushJournal(); });
    window.files().offerUnsavedWork();
    window.show();
    if (startsWithPage(window, options)) {
        window.showStartPage();
    }
    return QApplication::exec();
}

// Writes one line to standard error, because the window of a screenshot is not watched.
int complain(const QString& sentence)
{
    std::fprintf(stderr, "flopsmith: %s\n", qPrintable(sentence));
    return 1;
}

int savePicture(MainWindow& window, const QString& path)
{
    window.settle();
    QBuffer picture;
    picture.open(QIODevice::WriteOnly);
    if (!window.grab().toImage().save(&picture, "PNG")) {
        return complain(MainWindow::tr("the picture cannot be drawn"));
    }
    const QByteArray& bytes = picture.data();
    const Status written = writeFile(QFile::encodeName(path).toStdString(),
                                     {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    return written ? 0 : complain(QString::fromStdString(written.error().message));
}

// Takes the screenshot once the window is stable, and quits.
void takePicture(MainWindow& window, const WindowOptions& options)
{
    const auto grab = [&window, path = options.screenshot] {
        QTimer::singleShot(kSettleMilliseconds, &window, [&window, path] {
            QCoreApplication::exit(savePicture(window, path));
        });
    };
    if (options.measured) {
        QObject::connect(&window.measuring(), &MeasuringControl::finished, &window, grab);
        QTimer::singleShot(kSettleMilliseconds, &window.measuring(), &MeasuringControl::measure);
    } else {
        grab();
    }
}

} // namespace

int runWindow(QApplication& application, const WindowOptions& options)
{
    nameApplication();
    rememberDesktopPalette();
    const ThemeChoice choice = themeChoice(options.theme);
    applyTheme(application, themeOf(choice));
    MainWindow window;
    if (options.size) {
        window.resize(*options.size);
    }
    const bool showsTimes = options.screenshot.isEmpty() || options.measured;
    if (!options.store.isEmpty() && showsTimes) {
        window.measuring().useStore(options.store.toStdString());
    }
    if (options.screenshot.isEmpty()) {
        window.files().keepJournal(QFile::encodeName(options.journal).toStdString());
    }
    openStart(window, options);
    if (!options.screenshot.isEmpty()) {
        if (!window.messages().sentence().isEmpty() && (!options.file.isEmpty() || options.last)
            && window.messages().isVisibleTo(&window)) {
            return complain(window.messages().sentence());
        }
        window.measuring().setAutomatic(false);
        window.show();
        takePicture(window, options);
        return QApplication::exec();
    }
    return runForPerson(window, options);
}

} // namespace flopsmith::ui
