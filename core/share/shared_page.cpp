// SPDX-License-Identifier: MIT
#include "core/share/shared_page.h"

#include <array>

namespace flopsmith {
namespace {

constexpr std::array<SharedPage, 14> kSharedPages{{
    {"share", "lower"},
    {"scaling", "lower"},
    {"run_time", "lower"},
    {"memory", "budgets"},
    {"roofline", "budgets"},
    {"mislead", "budgets"},
    {"waterfall", "panel.waterfall"},
    {"design_space", "designSpace"},
    {"heat", "designSpace"},
    {"pareto", "designSpace"},
    {"compare", "comparison"},
    {"formulas", "formulas"},
    {"tables", "costs"},
    {"folklore", "folklore"},
}};

} // namespace

std::span<const SharedPage> sharedPages()
{
    return kSharedPages;
}

std::string_view pageOfView(std::string_view id)
{
    for (const SharedPage& each : kSharedPages) {
        if (each.id == id) {
            return each.page;
        }
    }
    return {};
}

std::string_view viewOfPage(std::string_view page)
{
    for (const SharedPage& each : kSharedPages) {
        if (each.page == page) {
            return each.id;
        }
    }
    return {};
}

} // namespace flopsmith
