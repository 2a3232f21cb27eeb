// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measuring/program_build.h"

#include "core/protocol/process/being_built.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace flopsmith::ui {
namespace {

TEST(ProgramBuild, EndsWhenTheProgramIsNoLongerBeingBuilt)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QLatin1String(kBeingBuiltFile)));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("125\n");
    file.close();
    ProgramBuild build(folder.filePath(QStringLiteral("flopsmith-bench")).toStdString());
    QSignalSpy ended(&build, &ProgramBuild::ended);

    build.watch();
    EXPECT_FALSE(ended.wait(1500)); // it looks every second

    ASSERT_TRUE(file.remove());
    EXPECT_TRUE(ended.wait(10'000));
}

TEST(ProgramBuild, NothingEndsWhereNothingIsBuilt)
{
    const QTemporaryDir folder;
    ProgramBuild build(folder.filePath(QStringLiteral("flopsmith-bench")).toStdString());
    QSignalSpy ended(&build, &ProgramBuild::ended);

    build.watch();

    EXPECT_FALSE(ended.wait(1500));
}

} // namespace
} // namespace flopsmith::ui
