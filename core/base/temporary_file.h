// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_handle.h"

#include <memory>
#include <string>

namespace flopsmith {

/// The content of a file before it has its name: written beside `target`, and renamed to it as a
/// whole. Destroyed before publish(), nothing of it is left.
class TemporaryFile
{
public:
    enum class Kind {
        nameless, ///< O_TMPFILE: nothing is left of it even if the program is killed
        named, ///< ".flopsmith-PID-N.tmp", for file systems without the other
    };

    /// With the rights of the target, or those of any new file. Null and errno if it cannot be made.
    /// Named files that killed programs left in the folder are removed.
    static std::unique_ptr<TemporaryFile> create(const std::string& target, Kind kind);
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile();

    FileHandle& file() { return m_file; }
    const FileHandle& file() const { return m_file; }

    /// Puts it in the target's place once it is on the disk. False and errno if it cannot; the
    /// target is then as it was.
    bool publish();

private:
    explicit TemporaryFile(const std::string& target);

    bool openNameless(unsigned mode);
    bool openNamed(unsigned mode);
    bool publishNameless();
    bool publishNamed();

    std::string m_target;
    std::string m_folder; ///< of the target, with its slash; empty: the current one
    std::string m_name; ///< while it stands in the folder
    FileHandle m_file;
};

} // namespace flopsmith
