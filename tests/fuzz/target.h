// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flopsmith {

/// Takes bytes of any kind and returns 0; anything but a return is a finding.
using FuzzReader = int (*)(const std::uint8_t* data, std::size_t size);

/// The reader's name, which is its folder in the corpus, for the test that replays it. Returns true.
bool addFuzzReader(const char* name, FuzzReader reader);

inline std::string_view asText(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size}; // NOLINT: bytes are what they are
}

} // namespace flopsmith

// Begins the one function of a source of this folder: what a fuzzer calls with bytes of its own
// making, or one of many that a test calls with the files of the corpus.
#ifdef FLOPSMITH_FUZZ
#define FLOPSMITH_FUZZ_READER(name)                                                                \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
#else
#define FLOPSMITH_FUZZ_READER(name)                                                                \
    static int name##Reader(const std::uint8_t* data, std::size_t size);                           \
    static const bool name##IsAdded = flopsmith::addFuzzReader(#name, name##Reader);               \
    static int name##Reader(const std::uint8_t* data, std::size_t size)
#endif
