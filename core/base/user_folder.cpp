// SPDX-License-Identifier: MIT
#include "core/base/user_folder.h"

#include <cstdlib>

namespace flopsmith {
namespace {

std::filesystem::path setting(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): none is ever set
    return value == nullptr ? "" : value;
}

} // namespace

std::filesystem::path userFolder(const char* variable, const std::filesystem::path& otherwise)
{
    const std::filesystem::path named = setting(variable);
    if (named.is_absolute()) {
        return named;
    }
    const std::filesystem::path home = setting("HOME");
    return home.is_absolute() ? home / otherwise : std::filesystem::path();
}

} // namespace flopsmith
