// SPDX-License-Identifier: GPL-3.0-or-later
// main() of the tests that need an application: same style and language everywhere, and a
// warning by Qt fails the test in which it appears.
#include "tests/support/test_report.h"
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QEvent>
#include <QFontInfo>
#include <QLocale>
#include <QString>

#include <cstdio>

namespace {

// What a platform without windows says about itself is no fault of ours.
bool isAboutThePlatform(const QString& text)
{
    return text.startsWith(QLatin1String("This plugin does not support"))
        || text.startsWith(QLatin1String("QXcbConnection: XCB error"));
}

void report(QtMsgType type, const QMessageLogContext&, const QString& text)
{
    std::fprintf(stderr, "%s\n", qPrintable(text));
    if (type != QtDebugMsg && type != QtInfoMsg && !isAboutThePlatform(text)) {
        ADD_FAILURE() << "Qt warns: " << qPrintable(text);
    }
}

// The font that these tests run with is there: without it they would pass with any other.
bool hasFont()
{
    const QString wanted = qEnvironmentVariable("FLOPSMITH_TEST_FONT");
    if (wanted.isEmpty()) {
        return true;
    }
    const QString shown = QFontInfo(flopsmith::ui::uiFont()).family();
    if (shown != wanted) {
        std::fprintf(stderr,
                     "these tests need the font %s, and found %s\n",
                     qPrintable(wanted),
                     qPrintable(shown));
    }
    return shown == wanted;
}

// What a test leaves in the queue, such as the activation of a window that is gone, must not reach the
// next one: its own window would never become active.
class EmptyQueue : public testing::EmptyTestEventListener
{
    void OnTestEnd(const testing::TestInfo& /*test*/) override
    {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents();
    }
};

} // namespace

int main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    flopsmith::prepareTestRun();
    if (GTEST_FLAG_GET(list_tests)) {
        return RUN_ALL_TESTS(); // no display is needed for that
    }
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication::setStyle(QStringLiteral("Fusion"));
    const QApplication application(argc, argv);
    QLocale::setDefault(QLocale::c());
    qInstallMessageHandler(report);
    testing::UnitTest::GetInstance()->listeners().Append(new EmptyQueue); // owned there
    return hasFont() ? RUN_ALL_TESTS() : 1;
}
