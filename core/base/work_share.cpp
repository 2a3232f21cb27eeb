// SPDX-License-Identifier: MIT
#include "core/base/work_share.h"

#include "core/base/printable.h"

#include <charconv>
#include <system_error>

namespace flopsmith {
namespace {

constexpr int kMaxShares = 1'000'000;

// 0 if it is not a number.
int numberOf(std::string_view text)
{
    int number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc() && end == text.data() + text.size() ? number : 0;
}

} // namespace

std::size_t WorkShare::countOf(std::size_t items) const
{
    const auto before = static_cast<std::size_t>(number - 1);
    return items <= before ? 0 : (items - before - 1) / static_cast<std::size_t>(of) + 1;
}

std::size_t WorkShare::indexOf(std::size_t own) const
{
    return own * static_cast<std::size_t>(of) + static_cast<std::size_t>(number - 1);
}

bool WorkShare::has(std::size_t item) const
{
    return item % static_cast<std::size_t>(of) == static_cast<std::size_t>(number - 1);
}

Result<WorkShare> workShareOf(std::string_view text)
{
    const std::size_t slash = text.find('/');
    WorkShare share{.number = 0, .of = 0};
    if (slash != std::string_view::npos) {
        share = {.number = numberOf(text.substr(0, slash)), .of = numberOf(text.substr(slash + 1))};
    }
    if (share.number < 1 || share.of < share.number || share.of > kMaxShares) {
        return Error{excerpt(text)
                     + " is no share; write NUMBER/OF, as 3/16, with 1 \xE2\x89\xA4 "
                       "NUMBER \xE2\x89\xA4 OF"};
    }
    return share;
}

} // namespace flopsmith
