// SPDX-License-Identifier: MIT
#pragma once

namespace flopsmith {

/// Prints the failed expectation with its place and aborts.
[[noreturn]] void reportBrokenCheck(const char* condition, const char* file, int line);

} // namespace flopsmith

/// For bugs of the program: stops if the condition does not hold, in every build.
#define FLOPSMITH_CHECK(condition)                                                                 \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ::flopsmith::reportBrokenCheck(#condition, __FILE__, __LINE__);                        \
        }                                                                                          \
    } while (false)
