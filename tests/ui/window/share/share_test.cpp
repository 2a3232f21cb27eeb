// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/model/presets.h"
#include "core/share/share_code.h"
#include "core/share/shared_page.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/rule_edit.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/qr_picture.h"
#include "ui/widgets/typed/typed_list.h"
#include "ui/window/files/file_opening.h"
#include "ui/window/share/qr_view.h"
#include "ui/window/share/share_dialog.h"

#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace flopsmith::ui {
namespace {

class ShareTest : public test::WindowTest
{
protected:
    static QString clipboard() { return QGuiApplication::clipboard()->text(); }

    static void putOnClipboard(const std::string& text)
    {
        QGuiApplication::clipboard()->setText(QString::fromStdString(text));
    }

    // Another design than the one the window starts with.
    static Project example()
    {
        Project project{.scenario = {*presetNamed("t5-small"), {.batch = 3}}};
        project.lens = lensNamed("matmul").value();
        return project;
    }

    ShareDialog& openDialog()
    {
        child<QAction>("file.share").trigger();
        return child<ShareDialog>("share");
    }

    void expectExample()
    {
        EXPECT_EQ(window->document().scenario(), example().scenario);
        EXPECT_EQ(window->document().lens(), example().lens);
        EXPECT_TRUE(window->document().file().path().isEmpty());
        EXPECT_EQ(window->document().undoStack().count(), 0);
        EXPECT_TRUE(window->messages().sentence().contains(QLatin1String("T5-small")));
    }
};

TEST_F(ShareTest, ACopiedCodeIsTheDocumentWithItsPage)
{
    Document& document = window->document();
    replaceModel(document, *presetNamed("mistral-7b"));
    document.setLens(*lensNamed("matmul"));
    const Parameter width = matchingParameters(document.scenario(), "d_model").front();
    ASSERT_TRUE(lockParameter(document, width).ok());
    window->pages().setCurrentName(fromUtf8(pageOfView("memory")));

    child<QAction>("file.copyCode").trigger();

    const SharedDesign design = parsedShareCode(clipboard().toStdString()).value();
    EXPECT_EQ(design.project, document.file().project());
    EXPECT_EQ(design.page, "memory");
}

TEST_F(ShareTest, EveryPageHasANameThatLeadsBackToIt)
{
    for (int page = 0; page < window->pages().count(); ++page) {
        window->pages().setCurrent(page);
        const std::string_view view = viewOfPage(window->pages().currentName().toStdString());
        ASSERT_FALSE(view.empty()) << window->pages().currentName().toStdString();
        window->pages().setCurrent(0);
        window->pages().setCurrentName(fromUtf8(pageOfView(view)));
        EXPECT_EQ(window->pages().current(), page);
    }
    for (const SharedPage& each : sharedPages()) {
        window->pages().setCurrentName(fromUtf8(each.page));
        EXPECT_EQ(window->pages().currentName(), fromUtf8(each.page)) << each.id;
    }
}

TEST_F(ShareTest, ACodeOpensANewDocumentOnItsPage)
{
    const std::string code = shareCode(example(), "waterfall").value();

    ASSERT_TRUE(window->openFile(QString::fromStdString(shareLink(code))));

    expectExample();
    EXPECT_EQ(window->pages().currentName(), fromUtf8(pageOfView("waterfall")));
}

TEST_F(ShareTest, PastedIntoTheStackACodeOpens)
{
    putOnClipboard(shareCode(example()).value());
    window->stack().setFocus();

    QTest::keyClick(&window->stack(), Qt::Key_V, Qt::ControlModifier);

    expectExample();
}

TEST_F(ShareTest, AWrongCodeIsRefusedAndChangesNothing)
{
    const Scenario before = window->document().scenario();
    std::string code = shareCode(example()).value();
    code.pop_back();
    putOnClipboard(code);

    window->stack().actionsOfStack().clipboard().paste().trigger();
    EXPECT_TRUE(window->messages().sentence().contains(QLatin1String("cut short")));
    EXPECT_FALSE(window->openFile(QString::fromStdString(code)));
    const Result<bool> opened = window->files().openText(QString::fromStdString(code));

    EXPECT_FALSE(opened.ok());
    EXPECT_EQ(window->document().scenario(), before);
}

TEST_F(ShareTest, TheListOfCommandsTakesACode)
{
    child<QAction>("window.commands").trigger();
    auto& list = child<TypedList>("commands");
    list.box().setText(QStringLiteral("FS1.AAAA"));
    ASSERT_FALSE(list.rows().empty());
    EXPECT_TRUE(list.rows().front().entry.refusal.contains(QLatin1String("cut short")));

    list.box().setText(QString::fromStdString(shareCode(example()).value()));
    QTest::keyClick(&list.box(), Qt::Key_Return);

    expectExample();
}

TEST_F(ShareTest, TheDialogShowsCodeLinkAndPicture)
{
    ShareDialog& dialog = openDialog();
    const QString code = child<QLineEdit>("share.code").text();
    const QString link = child<QLineEdit>("share.link").text();

    EXPECT_EQ(parsedShareCode(code.toStdString()).value().project,
              window->document().file().project());
    EXPECT_EQ(link, QStringLiteral("flopsmith:") + code);
    child<QPushButton>("share.link.copy").click();
    EXPECT_EQ(clipboard(), link);
    child<QPushButton>("share.code.copy").click();
    EXPECT_EQ(clipboard(), code);
    EXPECT_EQ(qrSvg(child<QrView>("share.picture").code()),
              qrSvg(QrCode::create(link.toStdString()).value()));
    dialog.close();
}

TEST_F(ShareTest, TheDialogFitsAndSavesItsPicture)
{
    ShareDialog& dialog = openDialog();
    const auto& view = child<QrView>("share.picture");
    QCoreApplication::processEvents();
    EXPECT_GE(view.width(), view.minimumSizeHint().width());
    EXPECT_GE(view.height(), view.minimumSizeHint().height());

    const QString svg = folder.filePath(QStringLiteral("code.svg"));
    const QString png = folder.filePath(QStringLiteral("code.png"));
    ASSERT_TRUE(dialog.savePicture(svg));
    ASSERT_TRUE(dialog.savePicture(png));
    QFile file(svg);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll().toStdString(), qrSvg(view.code()));
    EXPECT_EQ(QImage(png).size(), qrImage(view.code(), 8).size());
    EXPECT_FALSE(dialog.savePicture(folder.filePath(QStringLiteral("no/folder.svg"))));
    EXPECT_FALSE(child<QLabel>("share.result").text().isEmpty());
}

TEST_F(ShareTest, WhatCannotBeScannedHasNoPicture)
{
    Model model = *presetNamed("gpt2");
    Random random(7);
    while (model.name.size() < kLongestModelName) { // nothing that repeats or compresses
        model.name += static_cast<char>('!' + static_cast<int>(random.next() % 90));
    }
    replaceModel(window->document(), model);

    openDialog();

    EXPECT_EQ(window->findChild<QrView*>(), nullptr);
    EXPECT_FALSE(child<QPushButton>("share.save").isEnabled());
    EXPECT_TRUE(
        child<QLabel>("share.result").text().contains(QLatin1String("save the design as a file")));
}

TEST_F(ShareTest, APictureHasTheModulesOfItsCode)
{
    const QrCode code = QrCode::create("flopsmith:FS1.x").value();
    const QImage image = qrImage(code, 3);

    ASSERT_EQ(image.width(), 3 * (code.size() + 2 * QrCode::kMargin));
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const int row = y / 3 - QrCode::kMargin;
            const int column = x / 3 - QrCode::kMargin;
            const bool inside =
                row >= 0 && column >= 0 && row < code.size() && column < code.size();
            const bool dark = inside && code.isDark(row, column);
            ASSERT_EQ(image.pixelColor(x, y) == QColor(Qt::black), dark) << x << " " << y;
        }
    }
}

} // namespace
} // namespace flopsmith::ui
