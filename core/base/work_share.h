// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string_view>

namespace flopsmith {

/// One of several machines' equal shares of a list: the items number, number + of, … of it.
struct WorkShare
{
    int number = 1; ///< 1 … of
    int of = 1;

    bool operator==(const WorkShare&) const = default;

    /// How many of so many items.
    std::size_t countOf(std::size_t items) const;

    /// The item, from 0, that is the share's own of this index.
    std::size_t indexOf(std::size_t own) const;

    /// Whether the item of this index, from 0, is the share's.
    bool has(std::size_t item) const;
};

/// Of "3/16". An Error says what would be right.
Result<WorkShare> workShareOf(std::string_view text);

} // namespace flopsmith
