// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/save_path.h"

#include "ui/report/report_files.h"

#include <gtest/gtest.h>

#include <QStringList>

namespace flopsmith::ui {
namespace {

TEST(SavePath, EveryFilterOfAReportNamesItsEnding)
{
    QStringList endings;
    for (const QString& filter : reportFilter().split(QStringLiteral(";;"))) {
        endings << suffixOfFilter(filter);
    }

    EXPECT_EQ(endings, QStringLiteral("pdf html md tex").split(QLatin1Char(' ')));
    EXPECT_EQ(suffixOfFilter(QStringLiteral("Answers (*.flopsmith-answer)")),
              QStringLiteral("flopsmith-answer"));
    EXPECT_TRUE(suffixOfFilter(QStringLiteral("All files")).isEmpty());
}

} // namespace
} // namespace flopsmith::ui
