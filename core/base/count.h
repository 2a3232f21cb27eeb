// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace flopsmith {

/// An exact number of operations, elements or bytes. 128 bits hold every product of the sizes
/// that the validator accepts (d_model, d_ff, vocabulary, tokens, layers), so nothing overflows.
__extension__ typedef __int128 Count; // NOLINT(modernize-use-using): __extension__ needs a typedef

/// The largest integer below which a double (and so a JSON reader) holds every integer: 2^53.
inline constexpr std::int64_t kLargestExactDouble = std::int64_t{1} << 53;

/// All decimal digits, no separators: "291648307200".
std::string digits(Count count);

inline double toDouble(Count count)
{
    return static_cast<double>(count);
}

} // namespace flopsmith
