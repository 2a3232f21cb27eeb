// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace flopsmith::test {

/// A test with a folder of its own, gone afterwards.
class WithFolder : public testing::Test
{
protected:
    WithFolder()
    {
        const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::temp_directory_path()
            / ("flopsmith_" + std::string(test.test_suite_name()) + "_" + test.name());
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }

    ~WithFolder() override
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }

    std::string file(const std::string& name) const { return (m_folder / name).string(); }

    std::string written(const std::string& name, const std::string& text) const
    {
        std::ofstream(file(name), std::ios::binary) << text;
        return file(name);
    }

    static std::string contentOf(const std::string& path)
    {
        std::ostringstream text;
        text << std::ifstream(path, std::ios::binary).rdbuf();
        return text.str();
    }

private:
    std::filesystem::path m_folder;
};

} // namespace flopsmith::test
