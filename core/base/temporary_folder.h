// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>

namespace flopsmith {

/// A new folder among the system's temporary files, for this user alone. The destructor removes it
/// with everything in it.
class TemporaryFolder
{
public:
    /// Its name begins with "flopsmith-PURPOSE-". An Error if it cannot be created.
    static Result<TemporaryFolder> create(const std::string& purpose);

    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder&& other) noexcept;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;

    const std::string& path() const { return m_path; }

private:
    explicit TemporaryFolder(std::string path);

    std::string m_path; ///< empty after a move
};

} // namespace flopsmith
