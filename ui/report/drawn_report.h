// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"
#include "ui/charts/base/figure.h"

#include <map>
#include <memory>
#include <string>

namespace flopsmith::ui {

/// A report with its figures, ready to be painted.
struct DrawnReport
{
    Report report{};
    std::map<std::string, std::unique_ptr<Figure>> figures{}; ///< by name; one for each

    const Figure& figureOf(const ReportFigure& figure) const { return *figures.at(figure.name); }
};

/// Makes the figures like `flopsmith chart`. If one cannot be made, the report says why in its
/// place.
DrawnReport drawnReport(Report report);

} // namespace flopsmith::ui
