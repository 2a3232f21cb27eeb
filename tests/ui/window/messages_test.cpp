// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/drag/stack_drag.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"
#include "ui/theme/elided_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/bars/drop_frame.h"
#include "ui/window/bars/status_line.h"

#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QTimer>
#include <QUrl>

#include <map>

namespace flopsmith::ui {
namespace {

class MessagesTest : public test::WindowTest
{
protected:
    std::map<QWidget*, QRect> places()
    {
        QCoreApplication::processEvents();
        std::map<QWidget*, QRect> all;
        for (QWidget* part : window->focusOrder()) {
            if (part != &window->messages()) {
                all[part] = QRect(part->mapTo(window.get(), QPoint()), part->size());
            }
        }
        return all;
    }

    bool isShown() { return window->messages().isVisible(); }
};

TEST_F(MessagesTest, MoveNothingAndLieAboveTheStatusLine)
{
    const auto before = places();
    for (const QString& sentence :
         {QStringLiteral("short"), QStringLiteral("a long sentence about a file; ").repeated(20)}) {
        window->messages().show(MessageBar::Kind::error, sentence);

        EXPECT_EQ(places(), before);
        const QRect bar(window->messages().mapTo(window.get(), QPoint()),
                        window->messages().size());
        const int status = window->status().mapTo(window.get(), QPoint()).y();
        EXPECT_TRUE(window->rect().contains(bar));
        EXPECT_LE(bar.bottom(), status);
        EXPECT_GT(bar.bottom(), status - 40);
        const auto& text = child<QLabel>("message.text");
        EXPECT_GE(text.height(), text.heightForWidth(text.width())) << "all of it can be read";
    }
    window->resize(1100, 700);
    QCoreApplication::processEvents();
    EXPECT_TRUE(window->rect().contains(
        QRect(window->messages().mapTo(window.get(), QPoint()), window->messages().size())));
}

TEST_F(MessagesTest, GoByEsc)
{
    for (const auto kind : {MessageBar::Kind::note, MessageBar::Kind::error}) {
        window->messages().show(kind, QStringLiteral("said"));
        window->stack().setFocus();
        QTest::keyClick(&window->stack(), Qt::Key_Escape);
        EXPECT_FALSE(isShown());
    }
}

TEST_F(MessagesTest, ANoteGoesByItselfWhenItCanHaveBeenReadAndAnErrorStays)
{
    auto& timer = *window->messages().findChild<QTimer*>(QStringLiteral("message.gone"));
    const QString sentence = QStringLiteral("Saved there");
    EXPECT_GT(MessageBar::readingTime(sentence.repeated(20)), MessageBar::readingTime(sentence));

    window->messages().show(MessageBar::Kind::note, sentence);
    EXPECT_EQ(timer.interval(), MessageBar::readingTime(sentence));
    window->messages().show(MessageBar::Kind::error, sentence);
    EXPECT_FALSE(timer.isActive());
    EXPECT_TRUE(isShown());

    window->messages().show(MessageBar::Kind::note, sentence);
    timer.start(0);
    ASSERT_SOON(!isShown());
}

TEST_F(MessagesTest, AHintIsNoRefusal)
{
    const auto colourOfStatus = [this] {
        QCoreApplication::processEvents();
        auto& line = child<ElidedLabel>("status.sentence");
        const QImage image = line.grab().toImage();
        std::map<QRgb, int> counts;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                ++counts[image.pixel(x, y)];
            }
        }
        return counts[lightTheme().negative.rgb()];
    };
    window->status().say(QStringLiteral("This cannot be: nothing is selected here."));
    EXPECT_GT(colourOfStatus(), 20);

    window->document().select(Selection::ofRun(0));
    QTest::keyClick(&window->stack(), Qt::Key_M);
    EXPECT_TRUE(child<ElidedLabel>("status.sentence").text().contains(QLatin1String("picked up")));
    EXPECT_EQ(colourOfStatus(), 0);
    QTest::keyClick(&window->stack(), Qt::Key_Escape);
    EXPECT_FALSE(window->stack().drag().isActive());
    EXPECT_EQ(child<ElidedLabel>("status.sentence").text(), QStringLiteral("Nothing was moved."));
    EXPECT_EQ(colourOfStatus(), 0);
}

class DroppedFileTest : public MessagesTest
{
protected:
    QString written(const char* name, const QByteArray& text)
    {
        const QString path = folder.filePath(QLatin1String(name));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        return path;
    }

    // A question about unsaved changes would wait for an answer and end the test by its time limit.
    void changeSomething()
    {
        replaceModel(window->document(), *presetNamed("tiny"));
        EXPECT_TRUE(window->document().isModified());
    }
};

TEST_F(DroppedFileTest, IsReadBeforeChangesAreAskedAbout)
{
    changeSomething();
    const Model before = window->document().model();
    for (const QString& path : {folder.path(),
                                written("broken.flopsmith", "{\"flopsmith\": "),
                                written("soup.json", "{\"recipe\": 1}"),
                                folder.filePath(QStringLiteral("gone.flopsmith"))}) {
        window->messages().clear();
        window->openDropped(path);
        EXPECT_TRUE(isShown()) << qPrintable(path);
        EXPECT_EQ(window->document().model(), before);
    }
}

TEST_F(DroppedFileTest, ReplacesADesignWithoutChangesAtOnce)
{
    window->openDropped(
        written("config.json",
                "{\"model_type\": \"gpt2\", \"n_layer\": 3, \"n_embd\": 96, \"n_head\": 3}"));

    EXPECT_EQ(window->document().model().layers(), 3);
}

TEST_F(DroppedFileTest, LightsTheWindowWhileItHovers)
{
    auto& frame = child<DropFrame>("dropFrame");
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(QStringLiteral("/there/mine.flopsmith"))});
    EXPECT_FALSE(frame.isVisible());

    frame.light(mime);

    EXPECT_TRUE(frame.isVisible());
    EXPECT_EQ(frame.size(), window->size());
    EXPECT_TRUE(frame.accessibleName().contains(QLatin1String("mine.flopsmith")));
    mime.setUrls({QUrl(QStringLiteral("https://there/config.json"))});
    frame.light(mime);
    EXPECT_FALSE(frame.accessibleName().contains(QLatin1String("Drop to open")));
}

} // namespace
} // namespace flopsmith::ui
