// SPDX-License-Identifier: MIT
#include "core/export/new_folder.h"

#include <filesystem>
#include <system_error>

namespace flopsmith {

Status writeNewFolder(const std::string& folder,
                      ExistingFolder existing,
                      const std::function<Status(const std::string& folder)>& write)
{
    namespace fs = std::filesystem;
    std::error_code code;
    const bool exists = fs::exists(fs::symlink_status(folder, code));
    if (exists && existing == ExistingFolder::refuse) {
        return Error{folder + " exists; name a new folder, or --force to write into it"};
    }
    if (exists) {
        return fs::is_directory(folder, code) ? write(folder)
                                              : Status(Error{folder + " is no folder"});
    }
    const std::string partial = fs::path(folder + "/").parent_path().string() + ".partial";
    if (!fs::create_directory(partial, code)) {
        return Error{"cannot make the folder " + partial
                     + (code ? ": " + code.message() : ": it is there")};
    }
    Status written = write(partial);
    if (written) {
        fs::rename(partial, folder, code);
        if (code) {
            written = Error{"cannot make the folder " + folder + ": " + code.message()};
        }
    }
    if (!written) {
        fs::remove_all(partial, code);
    }
    return written;
}

} // namespace flopsmith
