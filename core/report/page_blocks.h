// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"
#include "core/teach/play/lesson_view.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The amount of a page on paper.
enum class PageCosts {
    shown,
    hidden, ///< stack and block without their costs, because a question may ask for them
};

/// The content of the view's page, for paper: the figure of `flopsmith chart`, a table of the
/// stack, of a block's operations or of the costs, a formula, or, for a page with measured times, a
/// sentence. `name` is the figure's (see ReportFigure::name).
std::vector<ReportBlock> pageBlocks(const LessonView& view,
                                    const std::string& name,
                                    PageCosts costs,
                                    std::string_view language);

/// The formula of the part with numbers substituted; nothing if it has none or it is too long.
std::vector<ReportBlock> formulaBlocks(const LessonContext& context,
                                       const std::string& part,
                                       std::string_view language);

} // namespace flopsmith
