// SPDX-License-Identifier: GPL-3.0-or-later
// victim FILE SEED SAVES: the real window on FILE. It edits at random, saves at random (SAVES 1) or
// never (0), and says on standard output what it did, until it is killed.
#include "core/base/random.h"
#include "core/io/journal/journal_file.h"
#include "ui/measuring/measuring_settings.h"
#include "ui/window/main_window.h"
#include "ui/window/run_window.h"
#include "ui/window/settings/window_settings.h"

#include <QAction>
#include <QApplication>
#include <QTimer>

#include <chrono>
#include <cstdio>

namespace {

using namespace flopsmith;

class Hand : public QObject
{
public:
    Hand(std::uint64_t seed, bool saves)
        : m_random(seed)
        , m_saves(saves)
    {
        QTimer::singleShot(0, this, &Hand::begin);
    }

private:
    void begin()
    {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            if (auto* window = qobject_cast<ui::MainWindow*>(widget)) {
                m_window = window;
            }
        }
        m_next = m_window->parts().document->scenario().workload.sequence;
        act();
    }

    void act()
    {
        const std::int64_t choice = m_random.integer(0, 19);
        if (m_saves && choice == 0) {
            tell('s'); // from here on the file may be the new one
            m_window->findChild<QAction*>(QStringLiteral("file.save"))->trigger();
            tell('S');
        } else {
            change(choice);
            tell('a');
        }
        QTimer::singleShot(static_cast<int>(m_random.integer(0, 40)), this, &Hand::act);
    }

    void change(std::int64_t choice)
    {
        ui::Document& document = *m_window->parts().document;
        if (choice < 4) {
            document.undoStack().undo();
        } else if (choice < 6) {
            document.undoStack().redo();
        } else {
            ++m_next;
            document.apply(
                QStringLiteral("Set S %1").arg(m_next),
                [this](ui::DocumentState& state) { state.scenario.workload.sequence = m_next; });
        }
    }

    void tell(char what) const
    {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        std::printf(
            "%c %lld %lld\n",
            what,
            static_cast<long long>(
                std::chrono::duration_cast<std::chrono::milliseconds>(now).count()),
            static_cast<long long>(m_window->parts().document->scenario().workload.sequence));
        std::fflush(stdout);
    }

    ui::MainWindow* m_window = nullptr;
    Random m_random;
    bool m_saves;
    int m_next = 0;
};

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    QCoreApplication::setOrganizationName(QStringLiteral("flopsmith"));
    QCoreApplication::setApplicationName(QStringLiteral("flopsmith"));
    ui::storeAutoMeasure(false);
    const Hand hand(arguments.at(2).toULongLong(), arguments.at(3) == QLatin1String("1"));
    return ui::runWindow(application,
                         {.file = arguments.at(1),
                          .size = QSize(800, 600),
                          .journal = QString::fromStdString(journalFolder().string())});
}
