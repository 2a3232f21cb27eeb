// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/export/chart_export_dialog.h"

#include "tests/ui/charts/samples.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/chart_pages/chart_export_actions.h"
#include "ui/chart_pages/export/export_preview.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>

namespace flopsmith::ui {
namespace {

using test::WindowTest;

class ChartExportDialogTest : public WindowTest
{
protected:
    ChartExportDialogTest()
        : figure(figureOf(requestOf(ChartId::share)))
    {
        openDialog();
    }

    void openDialog()
    {
        dialog = std::make_unique<ChartExportDialog>(
            QStringLiteral("Share"), [this] { return figure.get(); }, 0.6, window.get());
        dialog->show();
    }

    template <class Widget>
    Widget& part(const char* name)
    {
        auto* found =
            dialog->findChild<Widget*>(QStringLiteral("chartExport.") + QLatin1String(name));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    void choose(const char* combo, int index)
    {
        part<QComboBox>(combo).setCurrentIndex(index);
        dialog->flush();
    }

    QByteArray written(const char* name)
    {
        const QString path = folder.filePath(QLatin1String(name));
        EXPECT_TRUE(dialog->exportTo(path));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }

    std::unique_ptr<Figure> figure;
    std::unique_ptr<ChartExportDialog> dialog;
};

TEST_F(ChartExportDialogTest, TheUsualChoicesWriteWhatTheMenuWrites)
{
    EXPECT_EQ(written("a.svg"), exported(*figure, ExportFormat::svg, {.size = {720, 432}}));
}

TEST_F(ChartExportDialogTest, WritesTheVeryPictureOfThePreview)
{
    choose("format", 2); // PNG
    choose("preset", 1); // one column
    const QImage shown = dialog->preview().picture();

    const QImage file = QImage::fromData(written("a.png"));

    EXPECT_EQ(file.convertToFormat(shown.format()), shown);
    EXPECT_EQ(file.width(), 2 * 321) << "85 mm";
}

TEST_F(ChartExportDialogTest, PresetsSetWidthAndTypeAndAnotherWidthIsOnesOwn)
{
    choose("preset", 2);
    EXPECT_EQ(part<QDoubleSpinBox>("width").value(), 174.0);
    EXPECT_EQ(part<QComboBox>("unit").currentIndex(), 1);
    EXPECT_EQ(part<QDoubleSpinBox>("type").value(), 8.0);

    part<QDoubleSpinBox>("width").setValue(120.0);

    EXPECT_EQ(part<QComboBox>("preset").currentIndex(), 4);
    EXPECT_EQ(dialog->choice().width, 120.0);
    part<QComboBox>("unit").setCurrentIndex(0);
    EXPECT_EQ(part<QDoubleSpinBox>("width").value(), 454.0) << "120 mm in pixels";
}

TEST_F(ChartExportDialogTest, LeavesOutTitleAndSource)
{
    const QString title = figure->title();
    EXPECT_TRUE(QString::fromUtf8(dialog->bytes()).contains(title + QStringLiteral("</text>")));

    part<QCheckBox>("title").setChecked(false);
    part<QCheckBox>("footer").setChecked(false);
    dialog->flush();

    EXPECT_FALSE(QString::fromUtf8(dialog->bytes()).contains(title + QStringLiteral("</text>")));
    choose("format", 3); // CSV
    EXPECT_FALSE(dialog->bytes().startsWith('#'));
}

TEST_F(ChartExportDialogTest, ShowsTextsAsTexts)
{
    for (const int format : {3, 4}) {
        choose("format", format);
        EXPECT_EQ(part<QPlainTextEdit>("text").toPlainText(), QString::fromUtf8(dialog->bytes()));
    }
    choose("preset", 1);
    EXPECT_TRUE(dialog->bytes().contains("width=240.75bp"));
}

TEST_F(ChartExportDialogTest, TheLastChoicesComeAgain)
{
    choose("format", 2);
    choose("preset", 3);
    choose("colours", 1);
    part<QCheckBox>("footer").setChecked(false);
    written("a.png");
    const ExportChoice last = dialog->choice();

    openDialog();

    EXPECT_EQ(dialog->choice(), last);
    EXPECT_EQ(last.folder, folder.path());
    EXPECT_EQ(part<QComboBox>("preset").currentIndex(), 3);
    EXPECT_FALSE(part<QCheckBox>("footer").isChecked());
}

TEST_F(ChartExportDialogTest, ExportIsWhatEnterPresses)
{
    EXPECT_TRUE(part<QPushButton>("export").isDefault());
    QTest::keyClick(dialog.get(), Qt::Key_Escape);
    EXPECT_FALSE(dialog->isVisible());
}

TEST_F(ChartExportDialogTest, SaysWhatCannotBeExported)
{
    FigureRequest empty = requestOf(ChartId::runtime);
    empty.times.clear();
    empty.machine.reset();
    figure = figureOf(empty);
    ASSERT_FALSE(figure->emptyText().isEmpty());
    choose("preset", 1);

    EXPECT_FALSE(part<QPushButton>("export").isEnabled());
    EXPECT_TRUE(dialog->bytes().isEmpty());
    EXPECT_FALSE(dialog->exportTo(folder.filePath(QStringLiteral("a.svg"))));
}

TEST_F(ChartExportDialogTest, AFailureStaysInTheDialog)
{
    EXPECT_FALSE(dialog->exportTo(folder.filePath(QStringLiteral("no/such/a.svg"))));
    EXPECT_TRUE(dialog->isVisible());
    EXPECT_FALSE(dialog->exportTo(folder.filePath(QStringLiteral("a.png"))));
    EXPECT_TRUE(dialog->isVisible());
}

TEST(StoredExportChoice, SurvivesWhateverTheSettingsHold)
{
    QSettings settings;
    settings.setValue(QStringLiteral("chartExport/width"), QStringLiteral("nan"));
    settings.setValue(QStringLiteral("chartExport/type"), -5);
    settings.setValue(QStringLiteral("chartExport/format"), QStringLiteral("exe"));
    settings.setValue(QStringLiteral("chartExport/preset"), QStringLiteral("none"));

    EXPECT_EQ(storedExportChoice(), ExportChoice{});
    settings.remove(QStringLiteral("chartExport"));
}

} // namespace
} // namespace flopsmith::ui
