// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_handle.h"

#include <memory>
#include <string>

namespace flopsmith {

/// A file's content before it has its name: written beside `target`, and renamed to it once it is
/// complete. If it is destroyed before publish(), nothing remains of it.
class TemporaryFile
{
public:
    enum class Kind {
        nameless, ///< O_TMPFILE: nothing remains even if the program is killed
        named, ///< ".flopsmith-PID-N.tmp", for file systems without O_TMPFILE
    };

    /// Has the permissions of the target, or of any new file. Null, with errno set, if it cannot be
    /// created. Removes named files that killed programs left in the folder.
    static std::unique_ptr<TemporaryFile> create(const std::string& target, Kind kind);
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile();

    FileHandle& file() { return m_file; }
    const FileHandle& file() const { return m_file; }

    /// Puts it in the target's place once it is on the disk. On failure false, with errno set; the
    /// target is then unchanged.
    bool publish();

private:
    explicit TemporaryFile(const std::string& target);

    bool openNameless(unsigned mode);
    bool openNamed(unsigned mode);
    bool publishNameless();
    bool publishNamed();

    std::string m_target;
    std::string m_folder; ///< of the target, with its slash; empty: the current one
    std::string m_name; ///< while the file is visible in the folder
    FileHandle m_file;
};

} // namespace flopsmith
