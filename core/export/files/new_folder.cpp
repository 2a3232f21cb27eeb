// SPDX-License-Identifier: MIT
#include "core/export/files/new_folder.h"

#include <filesystem>
#include <system_error>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

Error cannotMake(const fs::path& folder, const std::error_code& code)
{
    return {"cannot make the folder " + folder.string() + ": " + code.message()};
}

Status moveInto(const fs::path& from, const fs::path& to);

// Moves a link itself, so that a link of that name is replaced and its target stays as it is.
Status moveEntry(const fs::path& from, const fs::path& to)
{
    std::error_code code;
    if (!fs::is_directory(fs::symlink_status(from, code))) {
        fs::rename(from, to, code);
        return code ? Status(Error{"cannot write " + to.string() + ": " + code.message()}) : Done{};
    }
    if (fs::is_symlink(fs::symlink_status(to, code))) {
        fs::remove(to, code);
    }
    fs::create_directory(to, code);
    return code ? Status(cannotMake(to, code)) : moveInto(from, to);
}

Status moveInto(const fs::path& from, const fs::path& to)
{
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(from, code)) {
        FLOPSMITH_RETURN_IF_ERROR(moveEntry(entry.path(), to / entry.path().filename()));
    }
    return code ? Status(Error{"cannot read " + from.string() + ": " + code.message()}) : Done{};
}

} // namespace

Status writeNewFolder(const std::string& folder,
                      ExistingFolder existing,
                      const std::function<Status(const std::string& folder)>& write)
{
    std::error_code code;
    const bool exists = fs::exists(fs::symlink_status(folder, code));
    if (exists && existing == ExistingFolder::refuse) {
        return Error{folder + " exists; name a new folder, or --force to write into it"};
    }
    if (exists && !fs::is_directory(folder, code)) {
        return Error{folder + " is no folder"};
    }
    const std::string partial = exists ? (fs::path(folder) / "flopsmith.partial").string()
                                       : fs::path(folder + "/").parent_path().string() + ".partial";
    if (!fs::create_directory(partial, code)) {
        return code ? cannotMake(partial, code)
                    : Error{partial
                            + " is there, which an export leaves that was interrupted; "
                              "remove it, or name another folder"};
    }
    Status written = write(partial);
    if (written && exists) {
        written = moveInto(partial, folder);
    } else if (written) {
        fs::rename(partial, folder, code);
        if (code) {
            written = cannotMake(folder, code);
        }
    }
    if (!written || exists) {
        fs::remove_all(partial, code);
    }
    return written;
}

} // namespace flopsmith
