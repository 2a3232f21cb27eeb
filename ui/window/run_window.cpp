// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/run_window.h"

#include "core/model/presets.h"
#include "core/share/open_model.h"
#include "core/teach/format/lesson_lookup.h"
#include "ui/document/recent_files.h"
#include "ui/measuring/measuring_control.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/window/files/ending_signals.h"
#include "ui/window/files/file_opening.h"
#include "ui/window/files/question_bars.h"
#include "ui/window/lecture/lecture.h"
#include "ui/window/lecture/lecture_window.h"
#include "ui/window/main_window.h"
#include "ui/window/measuring/window_measuring.h"
#include "ui/window/settings/window_settings.h"
#include "ui/window/window_picture.h"

#include <QApplication>
#include <QFile>

namespace flopsmith::ui {
namespace {

void nameApplication()
{
    QCoreApplication::setOrganizationName(QStringLiteral("flopsmith"));
    QCoreApplication::setApplicationName(QStringLiteral("flopsmith"));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Flopsmith"));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.flopsmith.Flopsmith"));
}

ThemeChoice themeChoice(const QString& name)
{
    return name.isEmpty() ? storedThemeChoice() : themeChoiceNamed(name);
}

NamedKind kindOf(const WindowOptions& options)
{
    return namedKind(QFile::encodeName(options.file).toStdString());
}

bool namesLesson(const WindowOptions& options)
{
    return kindOf(options) == NamedKind::lesson;
}

// A desktop opens a lesson's file as it does a project; on the whole screen in lecture mode.
void playLesson(MainWindow& window, const WindowOptions& options)
{
    if (QFile::exists(options.file)) {
        window.parts().lecture->startLessonFile(options.file, options.lecture);
        return;
    }
    const Result<Lesson> lesson = lessonNamed(options.file.toStdString());
    if (lesson) {
        window.parts().lecture->startLesson(*lesson, options.lecture);
    } else {
        window.parts().messages->show(MessageBar::Kind::error,
                                      QString::fromStdString(lesson.error().message));
    }
}

void openStart(MainWindow& window, const WindowOptions& options)
{
    if (const Preset* preset = findPreset(options.file.toStdString())) {
        window.parts().document->start(preset->scenario());
    } else if (!options.file.isEmpty()) {
        if (!namesLesson(options)) { // which needs the window to be shown
            window.openFile(options.file);
        }
    } else if (options.last
               || (options.screenshot.isEmpty() && storedOpenLast() && !recentFiles().isEmpty())) {
        window.parts().files->openLast();
    }
}

// Not over a question about unsaved work, nor over the file of last time.
bool startsWithPage(MainWindow& window, const WindowOptions& options)
{
    const bool asked = !window.parts().questions->sentence(QStringLiteral("unsavedWork")).isEmpty();
    const bool opensLast = storedOpenLast() && !recentFiles().isEmpty();
    return options.startPage && storedStartPage() && !asked && !opensLast;
}

// Runs the window interactively.
int runForPerson(MainWindow& window, const WindowOptions& options)
{
    const EndingSignals signals([&window] { window.parts().saving->flushJournal(); });
    window.parts().saving->offerUnsavedWork();
    window.show();
    if (startsWithPage(window, options)) {
        Q_EMIT window.parts().files->startPageRequested();
    }
    if (namesLesson(options)) {
        playLesson(window, options);
    } else if (options.lecture) {
        window.parts().lecture->start();
    }
    return QApplication::exec();
}

// A lesson has a window of its own, which gets the size of the picture.
void showLessonForPicture(MainWindow& window, const WindowOptions& options)
{
    if (!namesLesson(options)) {
        return;
    }
    window.show();
    playLesson(window, options);
    if (window.parts().lecture->isOn() && options.size) {
        window.parts().lecture->view()->resize(*options.size);
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
        window.parts().measuring->control().useStore(options.store.toStdString());
    }
    if (options.screenshot.isEmpty()) {
        window.parts().saving->keepJournal(QFile::encodeName(options.journal).toStdString());
    }
    openStart(window, options);
    if (!options.screenshot.isEmpty()) {
        showLessonForPicture(window, options);
        const bool namesFile = !options.file.isEmpty() && kindOf(options) != NamedKind::shareCode;
        if (!window.parts().messages->sentence().isEmpty() && (namesFile || options.last)
            && window.parts().messages->isVisibleTo(&window)) {
            return complain(window.parts().messages->sentence());
        }
        return takePicture(window, options);
    }
    return runForPerson(window, options);
}

} // namespace flopsmith::ui
