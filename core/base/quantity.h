// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace flopsmith {

/// The meaning of a B without a prefix: "8B" parameters are billions, "512B" of memory are bytes.
enum class PlainB { billions, bytes };

/// A number as people type it: "1e9", "15.6T", "8B", "2GiB", "4Ki", "40%", or a product such as
/// "2*768" and "12 × 64". k, M, G, T and P are powers of 1000, Ki, Mi, Gi and Ti powers of 1024; a B
/// after them means bytes. Nothing if the text is not a number or not finite.
std::optional<double> quantityOf(std::string_view text, PlainB plainB = PlainB::billions);

/// The same for a whole number; only quantities up to 9·10¹⁵, which are exact.
std::optional<std::int64_t> wholeQuantityOf(std::string_view text);

/// The same, with a decimal comma allowed in a number that has no point: "0,4".
std::optional<double> realQuantityOf(std::string_view text);

} // namespace flopsmith
