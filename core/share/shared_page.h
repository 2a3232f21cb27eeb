// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace flopsmith {

/// A view of the window by the name that share codes and scripts have for it.
struct SharedPage
{
    std::string_view id; ///< "memory"
    std::string_view page; ///< the object name of the window's page that holds it: "budgets"
};

/// All of them; if several belong to one page, the first one represents it.
std::span<const SharedPage> sharedPages();

/// The object name of the page with this view, or empty.
std::string_view pageOfView(std::string_view id);

/// The view that represents a page, or empty.
std::string_view viewOfPage(std::string_view page);

} // namespace flopsmith
