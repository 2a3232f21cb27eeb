// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_files.h"

#include "core/base/text_file.h"
#include "core/model/presets.h"
#include "core/report/design_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

namespace flopsmith::ui {
namespace {

using testing::HasSubstr;
using testing::Not;

class ReportFilesTest : public testing::Test
{
protected:
    std::string path(const char* name) const
    {
        return folder.filePath(QLatin1String(name)).toStdString();
    }

    Status write(ReportFormat format, const char* name) const
    {
        const Scenario scenario{.model = *presetNamed("gpt2"), .workload = {.sequence = 128}};
        return writeReport(
            reportOf({.scenario = scenario, .lens = LensId::matmul}), format, path(name));
    }

    std::string text(const char* name) const { return textOfFile(path(name)).value(); }

    QTemporaryDir folder;
};

TEST_F(ReportFilesTest, HtmlHoldsItsFiguresAndLoadsNothing)
{
    ASSERT_TRUE(write(ReportFormat::html, "r.html").ok());

    const QString page = QString::fromStdString(text("r.html"));
    EXPECT_EQ(page.count(QStringLiteral("<svg")), 4); // three figures and the QR code
    EXPECT_EQ(page.count(QStringLiteral("<?xml")), 0);
    EXPECT_EQ(page.count(QStringLiteral("src=")), 0);
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 1);
}

TEST_F(ReportFilesTest, MarkdownAndLatexNameFilesThatAreThere)
{
    ASSERT_TRUE(write(ReportFormat::markdown, "a.md").ok());
    ASSERT_TRUE(write(ReportFormat::latex, "b c.tex").ok());

    for (const char* figure : {"share", "scaling", "roofline"}) {
        const std::string svg = std::string("a-figures/") + figure + ".svg";
        const std::string pdf = std::string("b-c-figures/") + figure + ".pdf";
        EXPECT_THAT(text("a.md"), HasSubstr("](" + svg + ")"));
        EXPECT_THAT(text("b c.tex"), HasSubstr("{" + pdf + "}"));
        EXPECT_TRUE(QFile::exists(QString::fromStdString(path(svg.c_str()))));
        EXPECT_TRUE(QFile::exists(QString::fromStdString(path(pdf.c_str()))));
    }
}

TEST_F(ReportFilesTest, AFailureIsASentenceAndKeepsTheOldFile)
{
    ASSERT_TRUE(writeFile(path("a-figures"), "in the way").ok());
    ASSERT_TRUE(writeFile(path("a.md"), "old").ok());

    const Status done = write(ReportFormat::markdown, "a.md");

    ASSERT_FALSE(done.ok());
    EXPECT_THAT(done.error().message, HasSubstr("cannot be made a folder"));
    EXPECT_EQ(text("a.md"), "old");
    EXPECT_FALSE(write(ReportFormat::pdf, "no/such/folder/r.pdf").ok());
}

} // namespace
} // namespace flopsmith::ui
