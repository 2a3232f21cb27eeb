// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/wire/message.h"

#include <array>
#include <string_view>

// Names of enumerations and classes on the wire, shared by writing and reading.
namespace flopsmith::wire {

// In the order of the enumerations.
inline constexpr std::array<std::string_view, 4> kPrecisions{"float32",
                                                             "tf32",
                                                             "bfloat16",
                                                             "float16"};
inline constexpr std::array<std::string_view, 2> kCacheStates{"hot", "cold"};
inline constexpr std::array<std::string_view, 2> kPasses{"forward", "backward"};
inline constexpr std::array<std::string_view, 7> kFailureCodes{"bad_message",
                                                               "wrong_version",
                                                               "bad_operation",
                                                               "memory",
                                                               "disagrees",
                                                               "cancelled",
                                                               "failed"};

struct CountClass
{
    const char* key;
    Count OpCount<Count>::*member;
};

inline constexpr std::array<CountClass, 10> kCountClasses{{{"mac", &OpCount<Count>::mac},
                                                           {"dot", &OpCount<Count>::dot},
                                                           {"mul", &OpCount<Count>::mul},
                                                           {"add", &OpCount<Count>::add},
                                                           {"div", &OpCount<Count>::div},
                                                           {"sqrt", &OpCount<Count>::sqrt},
                                                           {"exp", &OpCount<Count>::exp},
                                                           {"cmp", &OpCount<Count>::cmp},
                                                           {"fft", &OpCount<Count>::fft},
                                                           {"move", &OpCount<Count>::move}}};

} // namespace flopsmith::wire
