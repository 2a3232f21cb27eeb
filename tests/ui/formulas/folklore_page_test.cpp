// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/folklore_page.h"

#include "core/model/presets.h"
#include "ui/document/document.h"
#include "ui/formulas/folklore_card.h"
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTest>

namespace flopsmith::ui {
namespace {

class FolklorePageTest : public testing::Test
{
protected:
    FolklorePageTest()
        : document({.model = *presetNamed("gpt2")})
        , page(document)
    {
        applyTheme(*qApp, lightTheme());
    }

    void open()
    {
        page.resize(900, 600);
        page.show();
        ASSERT_TRUE(QTest::qWaitFor([this] { return page.isFilled(); }));
        QCoreApplication::processEvents(); // the layout shows the new cards
    }

    Document document;
    FolklorePage page;
};

TEST_F(FolklorePageTest, ComputesNothingBeforeItIsSeen)
{
    QCoreApplication::processEvents();

    EXPECT_FALSE(page.isFilled());
    EXPECT_TRUE(page.findChildren<FolkloreCard*>().isEmpty());
}

TEST_F(FolklorePageTest, HasACardForEachFigureAndIsFilledOnce)
{
    open();
    page.hide();
    page.show();
    QCoreApplication::processEvents();

    EXPECT_EQ(page.findChildren<FolkloreCard*>().size(), static_cast<qsizetype>(folklore().size()));
}

TEST_F(FolklorePageTest, ACardSaysWhatIsPrintedWhatIsTrueAndHowFarApart)
{
    open();
    const auto* card =
        page.findChild<FolkloreCard*>(QStringLiteral("folklore.multi_head_attention"));
    ASSERT_NE(card, nullptr);

    const QString printed = card->findChild<QLabel*>(QStringLiteral("printed"))->text();
    EXPECT_TRUE(printed.contains(QStringLiteral("2BSD(4D + 2S·H)")));
    EXPECT_TRUE(printed.contains(QStringLiteral("line-through")));
    EXPECT_TRUE(card->findChild<QLabel*>(QStringLiteral("truth"))
                    ->text()
                    .contains(QStringLiteral("2BSD(4D + 2S)")));
    EXPECT_EQ(card->findChild<QLabel*>(QStringLiteral("factor"))->text(),
              QStringLiteral("5.4× too high"));
}

TEST_F(FolklorePageTest, TheDerivationUnfoldsByKeyboard)
{
    open();
    auto* card = page.findChild<FolkloreCard*>(QStringLiteral("folklore.vit"));
    ASSERT_NE(card, nullptr);
    auto* why = card->findChild<QPushButton*>(QStringLiteral("why"));
    const auto* derivation = card->findChild<QLabel*>(QStringLiteral("derivation"));
    EXPECT_FALSE(derivation->isVisible());

    QTest::keyClick(why, Qt::Key_Space);
    EXPECT_TRUE(derivation->isVisible());
    EXPECT_TRUE(derivation->text().contains(QStringLiteral("MACs")));

    QTest::keyClick(why, Qt::Key_Space);
    EXPECT_FALSE(derivation->isVisible());
    EXPECT_FALSE(why->accessibleName().isEmpty());
}

TEST_F(FolklorePageTest, TheColoursFollowTheTheme)
{
    open();
    const auto* truth = page.findChild<FolkloreCard*>(QStringLiteral("folklore.block"))
                            ->findChild<QLabel*>(QStringLiteral("truth"));

    applyTheme(*qApp, darkTheme());
    QCoreApplication::processEvents();

    EXPECT_TRUE(truth->text().contains(darkTheme().text.name()));
    applyTheme(*qApp, lightTheme());
}

} // namespace
} // namespace flopsmith::ui
