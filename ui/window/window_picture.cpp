// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_picture.h"

#include "core/base/text_file.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/measuring/measuring_control.h"
#include "ui/theme/theme.h"
#include "ui/window/lecture/lecture.h"
#include "ui/window/lecture/lecture_window.h"
#include "ui/window/main_window.h"
#include "ui/window/measuring/window_measuring.h"
#include "ui/window/panels/design_panels.h"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QFile>
#include <QPainter>
#include <QTimer>

#include <cstdio>

namespace flopsmith::ui {
namespace {

constexpr int kSettleMilliseconds = 400; // long enough for layouts and first paint events

// The window with its dialogs above it, each with a border, because the frame of a window manager is
// not in the picture.
QPixmap withDialogs(MainWindow& window)
{
    if (window.parts().lecture->isOn()) {
        return window.parts().lecture->view()->grab();
    }
    QPixmap picture = window.grab();
    QPainter painter(&picture);
    const QList<QWidget*> dialogs = shownDialogs(window);
    for (QWidget* dialog : dialogs) {
        const QRect place(window.mapFromGlobal(dialog->pos()), dialog->size());
        painter.drawPixmap(place.topLeft(), dialog->grab());
        painter.setPen(systemTheme().fieldBorder);
        painter.drawRect(place);
    }
    return picture;
}

int savePicture(MainWindow& window, const QString& path)
{
    window.settle();
    window.parts().panels->charts().feed().finish();
    QBuffer picture;
    picture.open(QIODevice::WriteOnly);
    if (!withDialogs(window).toImage().save(&picture, "PNG")) {
        return complain(MainWindow::tr("the picture cannot be drawn"));
    }
    const QByteArray& bytes = picture.data();
    const Status written = writeFile(QFile::encodeName(path).toStdString(),
                                     {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    return written ? 0 : complain(QString::fromStdString(written.error().message));
}

// Empty, or why the action cannot run.
QString problemOf(const QAction* action, const QString& name)
{
    if (action == nullptr) {
        return MainWindow::tr("the window has no action \"%1\"; an action's name is for example "
                              "window.commands")
            .arg(name);
    }
    return action->isEnabled() ? QString{}
                               : MainWindow::tr("the action \"%1\" is disabled").arg(name);
}

// Triggers the actions with a pause after each, in which what it opened is laid out; then the
// picture is saved.
void goOn(MainWindow& window, const WindowOptions& options, qsizetype next)
{
    QTimer::singleShot(kSettleMilliseconds, &window, [&window, options, next] {
        if (next == options.actions.size()) {
            QCoreApplication::exit(savePicture(window, options.screenshot));
            return;
        }
        window.settle();
        const QString& name = options.actions[next];
        auto* action = window.findChild<QAction*>(name);
        if (const QString problem = problemOf(action, name); !problem.isEmpty()) {
            QCoreApplication::exit(complain(problem));
            return;
        }
        goOn(window, options, next + 1); // first, because a dialog returns when it is closed
        action->trigger();
    });
}

} // namespace

// QApplication's list of windows has no order.
QList<QWidget*> shownDialogs(const QWidget& window)
{
    QList<QWidget*> dialogs = window.findChildren<QWidget*>();
    dialogs.removeIf(
        [](const QWidget* widget) { return !widget->isWindow() || !widget->isVisible(); });
    return dialogs;
}

int takePicture(MainWindow& window, const WindowOptions& options)
{
    window.parts().measuring->control().setAutomatic(false);
    window.show();
    if (options.lecture) {
        window.parts().lecture->start(window.size());
    }
    const auto begin = [&window, options] { goOn(window, options, 0); };
    if (options.measured) {
        QObject::connect(
            &window.parts().measuring->control(), &MeasuringControl::finished, &window, begin);
        QTimer::singleShot(
            kSettleMilliseconds, &window.parts().measuring->control(), &MeasuringControl::measure);
    } else {
        begin();
    }
    return QApplication::exec();
}

int complain(const QString& sentence)
{
    std::fprintf(stderr, "flopsmith: %s\n", qPrintable(sentence));
    return 1;
}

} // namespace flopsmith::ui
