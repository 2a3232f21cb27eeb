// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace flopsmith::test {

/// A test beside PyTorch: `./dev test torch` names a Python in FLOPSMITH_TORCH_PYTHON, without it the
/// test is skipped. It has a folder of its own, which stays where the test fails.
class BesideTorchTest : public testing::Test
{
protected:
    void SetUp() override
    {
        const char* python = std::getenv("FLOPSMITH_TORCH_PYTHON"); // NOLINT: one thread
        if (python == nullptr || *python == '\0') {
            GTEST_SKIP() << "FLOPSMITH_TORCH_PYTHON names no Python with PyTorch: ./dev test torch";
        }
        std::string place =
            (std::filesystem::temp_directory_path() / "flopsmith-torch-XXXXXX").string();
        ASSERT_NE(::mkdtemp(place.data()), nullptr);
        m_folder = place;
    }

    void TearDown() override
    {
        if (!m_folder.empty() && !HasFailure()) {
            std::filesystem::remove_all(m_folder);
        }
    }

    const std::filesystem::path& folder() const { return m_folder; }

    /// Whether the Python ends well with these arguments, written as for a shell.
    static bool pythonRuns(const std::string& arguments)
    {
        const std::string command = "\"$FLOPSMITH_TORCH_PYTHON\" " + arguments;
        return std::system(command.c_str()) == 0; // NOLINT(cert-env33-c)
    }

    /// The same of a script of tests/, with folders as its arguments.
    static bool scriptRuns(const std::string& script, const std::string& folders)
    {
        return pythonRuns("'" FLOPSMITH_SOURCE_DIR "/tests/" + script + "' " + folders);
    }

private:
    std::filesystem::path m_folder;
};

} // namespace flopsmith::test
