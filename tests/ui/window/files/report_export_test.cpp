// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/report_export.h"

#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/io/reports/cost_report.h"
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/model_edit.h"

#include <QFile>
#include <QFileInfo>

namespace flopsmith::ui {
namespace {

class ReportExportTest : public test::WindowTest
{
protected:
    bool saveTo(const QString& name)
    {
        return window->findChild<ReportExport*>()->saveTo(folder.filePath(name));
    }
};

TEST_F(ReportExportTest, WritesThePresentDesignUnderItsLens)
{
    replaceModel(window->document(), *presetNamed("llama-3-8b"));
    window->document().setLens(LensId::matmul);
    ASSERT_TRUE(saveTo(QStringLiteral("r.md")));

    const CostReport cost = costReport(window->document().scenario(), LensId::matmul);
    const Result<std::string> text =
        textOfFile(folder.filePath(QStringLiteral("r.md")).toStdString());
    ASSERT_TRUE(text.ok());
    EXPECT_NE(text->find(groupedDigits(*cost.total.figure)), std::string::npos);
    EXPECT_NE(text->find("Llama-3-8B"), std::string::npos);
    EXPECT_TRUE(window->messages().isVisible());
}

TEST_F(ReportExportTest, ShowsWhyThereIsNone)
{
    EXPECT_FALSE(saveTo(QStringLiteral("r.docx")));
    EXPECT_TRUE(window->messages().isVisible());
    EXPECT_FALSE(QFileInfo::exists(folder.filePath(QStringLiteral("r.docx"))));
}

} // namespace
} // namespace flopsmith::ui
