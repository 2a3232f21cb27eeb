// SPDX-License-Identifier: MIT
#include "core/measure/memory.h"

#include "core/base/text.h"
#include "core/measure/system_files.h"

#include <algorithm>
#include <sstream>
#include <string>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

using Bytes = std::optional<std::int64_t>;

// The two versions of control groups differ in file names only.
struct GroupFiles
{
    const char* mount;
    const char* limit;
    const char* usage;
    const char* reclaimable; // key in memory.stat
};

constexpr GroupFiles kVersion2{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles kVersion1{"sys/fs/cgroup/memory",
                               "memory.limit_in_bytes",
                               "memory.usage_in_bytes",
                               "total_inactive_file"};

Bytes minOf(Bytes a, Bytes b)
{
    return a && b ? std::min(*a, *b) : (a ? a : b);
}

Bytes memoryInfo(const fs::path& root, std::string_view key)
{
    const std::optional<std::string> text = smallFile(root / "proc/meminfo");
    const std::optional<std::string> value = text ? valueOf(*text, key, ':') : std::nullopt;
    return value ? bytesOf(*value) : std::nullopt;
}

Bytes bytesIn(const fs::path& file)
{
    const std::optional<std::string> line = firstLine(file);
    return line ? bytesOf(*line) : std::nullopt; // "max", no limit, is no number
}

// Inactive file cache counts as usage, but the kernel reclaims it first, so it is available.
std::int64_t reclaimable(const fs::path& group, const GroupFiles& files)
{
    const std::optional<std::string> text = smallFile(group / "memory.stat");
    const std::optional<std::string> value =
        text ? valueOf(*text, files.reclaimable, ' ') : std::nullopt;
    return value ? bytesOf(*value).value_or(0) : 0;
}

Bytes headroomIn(const fs::path& group, const GroupFiles& files)
{
    const Bytes limit = bytesIn(group / files.limit);
    const Bytes usage = bytesIn(group / files.usage);
    if (!limit || !usage) {
        return std::nullopt;
    }
    const std::int64_t used = std::max<std::int64_t>(0, *usage - reclaimable(group, files));
    return std::max<std::int64_t>(0, *limit - used);
}

// A limit applies to all groups below it, so every ancestor counts. In a container the path may be
// the host's and not be mounted; then only the groups that exist count, including the mount itself.
Bytes headroomOfAncestors(const fs::path& root, const GroupFiles& files, const fs::path& group)
{
    const fs::path mount = root / files.mount;
    fs::path below = group.relative_path();
    Bytes headroom = headroomIn(mount, files);
    while (!below.empty()) {
        headroom = minOf(headroom, headroomIn(mount / below, files));
        below = below.parent_path();
    }
    return headroom;
}

// Lines of /proc/self/cgroup are "number:controllers:path"; version 2 is "0::path".
Bytes controlGroupHeadroom(const fs::path& root)
{
    std::istringstream groups(smallFile(root / "proc/self/cgroup").value_or(""));
    Bytes headroom;
    std::string number;
    std::string controllers;
    std::string path;
    while (std::getline(groups, number, ':') && std::getline(groups, controllers, ':')
           && std::getline(groups, path)) {
        if (controllers.empty()) {
            headroom = minOf(headroom, headroomOfAncestors(root, kVersion2, path));
        } else if (("," + controllers + ",").find(",memory,") != std::string::npos) {
            headroom = minOf(headroom, headroomOfAncestors(root, kVersion1, path));
        }
    }
    return headroom;
}

std::string withUnit(Count bytes)
{
    return digits(bytes) + " bytes (" + bytesText(toDouble(bytes)) + ")";
}

} // namespace

std::optional<std::int64_t> physicalMemoryBytes(const std::filesystem::path& root)
{
    return memoryInfo(root, "MemTotal");
}

std::optional<std::int64_t> availableMemoryBytes(const std::filesystem::path& root)
{
    return minOf(memoryInfo(root, "MemAvailable"), controlGroupHeadroom(root));
}

Status fitsInMemory(std::string_view job,
                    Count needed,
                    std::optional<std::int64_t> available,
                    std::int64_t reserve)
{
    if (!available) {
        return Done{};
    }
    const Count allowed = std::max<Count>(0, Count{*available} - reserve);
    if (needed <= allowed) {
        return Done{};
    }
    return Error{std::string(job) + " needs " + withUnit(needed) + " of memory, but only "
                 + withUnit(allowed)
                 + " can be used on this machine; choose fewer tokens or smaller sizes"};
}

} // namespace flopsmith
