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
#include "ui/window/files/file_opening.h"
#include "ui/window/lab/lab_place.h"

#include <QDragEnterEvent>
#include <QDropEvent>
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

TEST_F(MessagesTest, AHintOfTheDesignDoesNotFollowIntoTheLab)
{
    window->document().select(Selection::ofRun(0));
    QTest::keyClick(&window->stack(), Qt::Key_M);
    EXPECT_FALSE(child<ElidedLabel>("status.sentence").text().isEmpty());

    window->labPlace().show(true);

    EXPECT_TRUE(child<ElidedLabel>("status.sentence").text().isEmpty());
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

// A file of each kind, what is said of it when it is dropped or its path is pasted.
TEST_F(DroppedFileTest, SaysWhatItIsAndAsksNothing)
{
    struct Other
    {
        const char* name;
        QByteArray text;
        const char* says;
    };
    changeSomething();
    const Model before = window->document().model();
    for (const Other& other :
         {Other{"adapter_config.json",
                R"({"peft_type": "LORA", "base_model_name_or_path": "a/b"})",
                "a LoRA of \"a/b\""},
          Other{
              "model.safetensors", QByteArray("\x02\0\0\0\0\0\0\0{}", 10), "weights (safetensors)"},
          Other{"tokenizer.json", R"({"added_tokens": []})", "a tokenizer"},
          Other{"figure.png", "\x89PNG\r\n", "an image (PNG)"},
          Other{"config.json", R"({"model_type": "gpt2", "n_embd": NaN})", "NaN is no value"},
          Other{"notes.txt", "Dear all", "a text that is no JSON"},
          Other{"task.flopsmith-exercise", "{\"id\": ", "line 1"},
          Other{"mine.flopsmith-answer", "{}", "mine.flopsmith-answer"}}) {
        const QString path = written(other.name, other.text);
        window->messages().clear();
        window->openDropped(path);
        EXPECT_TRUE(window->messages().sentence().contains(QLatin1String(other.says)))
            << other.name << ": " << qPrintable(window->messages().sentence());

        const Result<bool> pasted = window->files().openText(path);
        ASSERT_FALSE(pasted.ok()) << other.name;
        EXPECT_NE(pasted.error().message.find(other.says), std::string::npos) << other.name;
        EXPECT_EQ(window->document().model(), before);
    }
}

TEST_F(DroppedFileTest, OrTextOfAnotherKindIsNamed)
{
    changeSomething();
    const Model before = window->document().model();
    for (const auto& [text, says] :
         {std::pair("meta-llama/Llama-3-8B", "Hugging Face hub, save its config.json"),
          std::pair("https://huggingface.co/a/b", "nothing is downloaded here"),
          std::pair("/nowhere/config.json", "there is no such file"),
          std::pair("gtp2", "the nearest presets are"),
          std::pair("one\ntwo", "a text that is no design"),
          std::pair("", "there is no text"),
          std::pair("{\"a\": Infinity}", "Infinity is no value"),
          std::pair("{\"recipe\": 1}", "the clipboard: neither a Flopsmith file")}) {
        const Result<bool> refused = window->files().openText(QLatin1String(text));
        ASSERT_FALSE(refused.ok()) << text;
        EXPECT_NE(refused.error().message.find(says), std::string::npos)
            << text << ": " << refused.error().message;
        EXPECT_EQ(window->document().model(), before);
    }
}

TEST_F(DroppedFileTest, OpensByAPastedPathAndAddress)
{
    const QString path = written("a b.json", R"({"model_type": "gpt2", "n_layer": 3})");
    for (const QString& text :
         {path, QUrl::fromLocalFile(path).toString(QUrl::FullyEncoded) + QLatin1Char('\n')}) {
        window->document().start(Scenario{.model = *presetNamed("tiny")});
        const Result<bool> opened = window->files().openText(text);
        ASSERT_TRUE(opened.ok() && *opened) << qPrintable(text);
        EXPECT_EQ(window->document().model().layers(), 3);
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
    mime.setUrls({QUrl::fromLocalFile(QStringLiteral("/a.flopsmith")),
                  QUrl::fromLocalFile(QStringLiteral("/b.flopsmith"))});
    frame.light(mime);
    EXPECT_TRUE(frame.accessibleName().contains(QLatin1String("the first of 2")));
}

TEST_F(DroppedFileTest, MayBeATextOrAnAddress)
{
    QMimeData mime;
    mime.setText(QStringLiteral(R"({"model_type": "gpt2", "n_layer": 3})"));
    const auto drop = [&] {
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(window.get(), &enter);
        EXPECT_TRUE(child<DropFrame>("dropFrame").isVisible());
        QDropEvent event(QPointF(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(window.get(), &event);
        EXPECT_FALSE(child<DropFrame>("dropFrame").isVisible());
    };
    drop();
    EXPECT_EQ(window->document().model().layers(), 3);

    mime.setUrls({QUrl(QStringLiteral("https://there/config.json"))});
    drop();
    EXPECT_TRUE(window->messages().sentence().contains(QLatin1String("an address on the web")));
    EXPECT_EQ(window->document().model().layers(), 3);
}

} // namespace
} // namespace flopsmith::ui
