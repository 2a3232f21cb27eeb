// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace flopsmith {

/// A number as people type one: "1e9", "15.6T", "2GiB", "4Ki", "40%", or a product of such, "2*768" and
/// "12 × 64". k, M, G, T and P are powers of 1000, Ki, Mi, Gi and Ti of 1024, and a B behind them means
/// bytes. Nothing if it is none, or not finite.
std::optional<double> quantityOf(std::string_view text);

/// The same where only a whole number makes sense. Of quantities up to 9·10¹⁵, which are exact.
std::optional<std::int64_t> wholeQuantityOf(std::string_view text);

/// The same with a comma for the point of a number that has none: "0,4".
std::optional<double> realQuantityOf(std::string_view text);

} // namespace flopsmith
