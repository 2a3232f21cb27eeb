// SPDX-License-Identifier: MIT
#include "core/io/project/version.h"

namespace flopsmith {

std::string_view programVersion()
{
    return FLOPSMITH_VERSION; // the version of the project in the top CMakeLists.txt
}

} // namespace flopsmith
