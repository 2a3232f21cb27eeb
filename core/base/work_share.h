// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string_view>

namespace flopsmith {

/// One machine's equal share of a list: the items number, number + of, … of it.
struct WorkShare
{
    int number = 1; ///< 1 … of
    int of = 1;

    bool operator==(const WorkShare&) const = default;

    /// The share's number of items, out of `items`.
    std::size_t countOf(std::size_t items) const;

    /// The index in the list of the share's item number `own`, both from 0.
    std::size_t indexOf(std::size_t own) const;

    /// Whether the item of this index, from 0, belongs to the share.
    bool has(std::size_t item) const;
};

/// Parses "3/16". The Error says what would be right.
Result<WorkShare> workShareOf(std::string_view text);

} // namespace flopsmith
