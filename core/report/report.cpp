// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.h"

#include "core/base/printable.h"

namespace flopsmith {

std::string reportWords(std::string_view text)
{
    constexpr std::size_t kLongest = 80; // code points: a title of one or two lines
    return elided(printable(text), kLongest);
}

std::vector<const ReportFigure*> figuresOf(const Report& report)
{
    std::vector<const ReportFigure*> all;
    for (const ReportBlock& block : report.blocks) {
        if (const auto* row = std::get_if<ReportFigures>(&block)) {
            for (const ReportFigure& figure : row->figures) {
                all.push_back(&figure);
            }
        }
    }
    return all;
}

} // namespace flopsmith
