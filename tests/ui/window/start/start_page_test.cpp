// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start/start_page.h"

#include "core/model/presets.h"
#include "tests/ui/inspector/qts_own.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/recent_files.h"
#include "ui/window/start/preset_model.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QPushButton>
#include <QSet>

namespace flopsmith::ui {
namespace {

class StartPageTest : public test::WindowTest
{
protected:
    StartPageTest() { clearRecentFiles(); }

    void showPage()
    {
        child<QAction>("file.start").trigger();
        page = window->findChild<StartPage*>();
        FLOPSMITH_CHECK(page != nullptr);
        EXPECT_TRUE(QTest::qWaitForWindowActive(page));
    }

    QListView& cards() { return child<QListView>("start.cards"); }
    QLineEdit& filter() { return child<QLineEdit>("start.filter"); }
    bool isOpen() const { return !page.isNull() && page->isVisible(); }
    QString message() { return child<QLabel>("start.message").text(); }
    const Model& model() { return window->document().model(); }

    QStringList titles()
    {
        QStringList all;
        for (int row = 0; row < cards().model()->rowCount(); ++row) {
            all << cards().model()->index(row, 0).data().toString();
        }
        return all;
    }

    QPointer<StartPage> page;
};

TEST_F(StartPageTest, IsNotShownUnasked)
{
    QCoreApplication::processEvents();

    EXPECT_EQ(window->findChild<StartPage*>(), nullptr);
}

TEST_F(StartPageTest, ItsCardsAreCountedAfterItIsShown)
{
    showPage();
    const int last = cards().model()->rowCount() - 1;
    ASSERT_EQ(last + 1, static_cast<int>(presets().size()));

    ASSERT_SOON(
        !cards().model()->index(last, 0).data(PresetModel::figuresRole).toString().isEmpty());
}

TEST_F(StartPageTest, TypingNarrowsTheCardsAndReturnOpensTheFirst)
{
    showPage();
    QTest::keyClicks(&filter(), QStringLiteral("llama"));
    EXPECT_EQ(titles(), QStringList({QStringLiteral("Llama-2-7B"), QStringLiteral("Llama-3-8B")}));

    QTest::keyClick(&filter(), Qt::Key_Return);

    EXPECT_FALSE(isOpen());
    EXPECT_EQ(model(), *presetNamed("llama-2-7b"));
    EXPECT_FALSE(window->document().isModified());
}

TEST_F(StartPageTest, ArrowsMoveOverTheCards)
{
    showPage();
    QTest::keyClicks(&filter(), QStringLiteral("llama"));
    QTest::keyClick(&filter(), Qt::Key_Down);
    EXPECT_EQ(page->focusWidget(), &cards());

    QTest::keyClick(&cards(), Qt::Key_End);
    EXPECT_EQ(cards().currentIndex().data().toString(), QStringLiteral("Llama-3-8B"));
    QTest::keyClick(&cards(), Qt::Key_Return);

    EXPECT_EQ(model(), *presetNamed("llama-3-8b"));
}

TEST_F(StartPageTest, AClickOpensACard)
{
    showPage();
    const QModelIndex first = cards().model()->index(0, 0);
    QTest::mouseClick(cards().viewport(), Qt::LeftButton, {}, cards().visualRect(first).center());

    EXPECT_FALSE(isOpen());
    EXPECT_EQ(model(), presets().front().make());
}

TEST_F(StartPageTest, SaysWhenNoPresetIsLeft)
{
    showPage();
    filter().setText(QStringLiteral("no such model"));
    EXPECT_FALSE(message().isEmpty());
    QTest::keyClick(&filter(), Qt::Key_Return);
    EXPECT_TRUE(isOpen());

    filter().clear();

    EXPECT_TRUE(message().isEmpty());
    EXPECT_EQ(titles().size(), static_cast<int>(presets().size()));
}

TEST_F(StartPageTest, EscapeClosesItAndChangesNothing)
{
    const Scenario before = window->document().scenario();
    showPage();
    QTest::keyClick(page, Qt::Key_Escape);

    EXPECT_FALSE(isOpen());
    EXPECT_EQ(window->document().scenario(), before);
}

TEST_F(StartPageTest, AnEmptyModelIsTheOneOfNew)
{
    showPage();
    child<QPushButton>("start.empty").click();

    EXPECT_FALSE(isOpen());
    EXPECT_EQ(model(), newModel());
}

TEST_F(StartPageTest, APasteIsOpenedOrToldWhyNot)
{
    const Model before = model();
    QGuiApplication::clipboard()->setText(QStringLiteral("a shopping list"));
    showPage();
    child<QPushButton>("start.paste").click();
    EXPECT_TRUE(isOpen());
    EXPECT_TRUE(message().contains(QLatin1String("clipboard"))) << qPrintable(message());
    EXPECT_EQ(model(), before);

    QGuiApplication::clipboard()->setText(QStringLiteral(
        R"({"model_type": "gpt2", "vocab_size": 100, "n_embd": 64, "n_layer": 3, "n_head": 4})"));
    child<QPushButton>("start.paste").click();

    EXPECT_FALSE(isOpen());
    EXPECT_EQ(model().layers(), 3);
}

TEST_F(StartPageTest, OpensRecentFiles)
{
    const QString path = folder.filePath(QStringLiteral("a & b.flopsmith"));
    renameModel(window->document(), QStringLiteral("saved"));
    ASSERT_TRUE(window->document().file().saveAs(path).ok());
    ASSERT_TRUE(window->openFile(path));
    window->document().start({.model = newModel()});
    showPage();

    auto& recent = child<QPushButton>("start.recent0");
    EXPECT_EQ(recent.text(), QStringLiteral("a && b.flopsmith"));
    recent.click();

    EXPECT_FALSE(isOpen());
    EXPECT_EQ(model().name, "saved");
    EXPECT_EQ(window->document().file().path(), path);
}

TEST_F(StartPageTest, RemembersWhetherItIsShownAtTheStart)
{
    EXPECT_TRUE(storedStartPage());
    showPage();
    child<QCheckBox>("start.atStart").click();

    EXPECT_FALSE(storedStartPage());
}

TEST_F(StartPageTest, FitsAProjectorAndNamesItsWidgets)
{
    addRecentFile(folder.filePath(QString(200, QLatin1Char('x'))));
    showPage();
    EXPECT_LE(page->minimumSizeHint().width(), 1276);
    EXPECT_LE(page->minimumSizeHint().height(), 688);
    QSet<QString> names;
    for (const QWidget* widget : page->findChildren<QWidget*>()) {
        if (test::isQtsOwn(*widget)) {
            continue;
        }
        EXPECT_FALSE(widget->accessibleName().isEmpty()) << qPrintable(widget->objectName());
        EXPECT_FALSE(names.contains(widget->objectName())) << qPrintable(widget->objectName());
        names << widget->objectName();
    }
    EXPECT_GE(names.size(), 8);
}

TEST_F(StartPageTest, AKindNarrowsTheCards)
{
    showPage();
    const int all = cards().model()->rowCount();
    child<QPushButton>(
        qPrintable(QStringLiteral("start.kind.%1").arg(static_cast<int>(PresetKind::experts))))
        .click();

    EXPECT_EQ(cards().model()->rowCount(), 2); // Mixtral and DeepSeek-V3
    child<QPushButton>("start.kind.all").click();
    EXPECT_EQ(cards().model()->rowCount(), all);
}

} // namespace
} // namespace flopsmith::ui
