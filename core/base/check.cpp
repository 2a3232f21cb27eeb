// SPDX-License-Identifier: MIT
#include "core/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace flopsmith {

void reportBrokenCheck(const char* condition, const char* file, int line)
{
    std::fprintf(stderr, "flopsmith: %s:%d: expected %s\n", file, line, condition);
    std::abort();
}

} // namespace flopsmith
