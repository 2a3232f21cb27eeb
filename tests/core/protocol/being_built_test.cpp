// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/process/being_built.h"

#include "core/base/temporary_folder.h"
#include "core/protocol/process/worker_process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

class BeingBuilt : public testing::Test
{
protected:
    void write(const std::string& text) const { std::ofstream(m_file) << text; }

    const Result<TemporaryFolder> m_folder = TemporaryFolder::create("test");
    const fs::path m_program = fs::path(m_folder->path()) / "flopsmith-bench";
    const fs::path m_file = fs::path(m_folder->path()) / kBeingBuiltFile;
};

TEST_F(BeingBuilt, NothingIsWithoutTheFile)
{
    EXPECT_EQ(secondsUntilBuilt(m_program), std::nullopt);
    EXPECT_EQ(beingBuiltText(m_program), std::nullopt);
}

TEST_F(BeingBuilt, TheFileSaysHowLongItTakes)
{
    write("125\n");
    EXPECT_EQ(secondsUntilBuilt(m_program), 125);
    EXPECT_EQ(beingBuiltText(m_program), "flopsmith-bench is still being built, about 2 min left");

    write("10\n");
    EXPECT_EQ(beingBuiltText(m_program),
              "flopsmith-bench is still being built, less than a minute left");
}

TEST_F(BeingBuilt, AnyContentOfAFreshFileIsATimeOfAtLeastZero)
{
    for (const char* text : {"", "soon", "-5", "99999999999999999999"}) {
        write(text);
        ASSERT_TRUE(secondsUntilBuilt(m_program)) << text;
        EXPECT_GE(*secondsUntilBuilt(m_program), 0) << text;
    }
}

TEST_F(BeingBuilt, AFileThatWasLeftBehindDoesNotCount)
{
    write("125\n");
    fs::last_write_time(m_file, fs::file_time_type::clock::now() - std::chrono::minutes(2));

    EXPECT_EQ(secondsUntilBuilt(m_program), std::nullopt);
}

TEST_F(BeingBuilt, APersonWhoMeasuresTooEarlyIsTold)
{
    write("125\n");

    const Result<WorkerProcess> worker = WorkerProcess::start({m_program.string()});

    ASSERT_FALSE(worker.ok());
    EXPECT_EQ(worker.error().message, *beingBuiltText(m_program));
}

} // namespace
} // namespace flopsmith
