// SPDX-License-Identifier: MIT
#pragma once

namespace flopsmith {

/// Prints the broken expectation with its place and aborts.
[[noreturn]] void reportBrokenCheck(const char* condition, const char* file, int line);

} // namespace flopsmith

/// For mistakes of the program itself: stops when the condition does not hold, in every build.
#define FLOPSMITH_CHECK(condition)                                                                 \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ::flopsmith::reportBrokenCheck(#condition, __FILE__, __LINE__);                        \
        }                                                                                          \
    } while (false)
