// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace flopsmith {

/// A folder that stands for "/": tests write the files of /proc and /sys that they need into it.
/// It is named after the running test and removed at the end.
class FakeRoot
{
public:
    FakeRoot()
        : m_path(std::filesystem::path(testing::TempDir())
                 / ("flopsmith_"
                    + std::string(testing::UnitTest::GetInstance()->current_test_info()->name())))
    {
        std::filesystem::remove_all(m_path);
        std::filesystem::create_directories(m_path);
    }

    ~FakeRoot()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }

    FakeRoot(const FakeRoot&) = delete;
    FakeRoot& operator=(const FakeRoot&) = delete;

    void write(const std::string& name, const std::string& text) const
    {
        std::filesystem::create_directories((m_path / name).parent_path());
        std::ofstream(m_path / name) << text;
    }

    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace flopsmith
