// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/check.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace flopsmith {

/// A folder that stands for "/": tests write the files of /proc and /sys that they need into it.
/// It has a name of its own, so that several runs of the tests do not meet, and is removed at
/// the end.
class FakeRoot
{
public:
    FakeRoot()
    {
        std::string name = testing::TempDir() + "/flopsmith_XXXXXX";
        FLOPSMITH_CHECK(mkdtemp(name.data()) != nullptr);
        m_path = name;
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
