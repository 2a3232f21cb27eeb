// SPDX-License-Identifier: MIT
#include "core/base/temporary_folder.h"

#include "core/base/printable.h"

#include <stdlib.h> // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX's

#include <filesystem>
#include <system_error>
#include <utility>

namespace flopsmith {

namespace fs = std::filesystem;

Result<TemporaryFolder> TemporaryFolder::create(const std::string& purpose)
{
    std::error_code failed;
    std::string pattern =
        (fs::temp_directory_path(failed) / ("flopsmith-" + purpose + "-XXXXXX")).string();
    if (failed || ::mkdtemp(pattern.data()) == nullptr) {
        return Error{printable(pattern) + ": no folder can be made there"};
    }
    return TemporaryFolder(pattern);
}

TemporaryFolder::TemporaryFolder(std::string path)
    : m_path(std::move(path))
{}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : m_path(std::exchange(other.m_path, {}))
{}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    if (!m_path.empty()) {
        fs::remove_all(m_path, ignored);
    }
}

} // namespace flopsmith
