// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/note/note.h"
#include "core/report/report.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The default device of a report.
inline constexpr std::string_view kReportHardware = "h100-sxm";

/// The request for the report of a design.
struct ReportRequest
{
    Scenario scenario{};
    LensId lens = LensId::exact;
    std::optional<PairsRule> pairs{}; ///< empty: the lens's own
    std::optional<Hardware> hardware{}; ///< empty: kReportHardware
    std::string date{}; ///< "2026-11-21": for the provenance; may be empty
    std::vector<Note> notes{}; ///< at parts of the scenario's model
};

/// A design on two pages: description, stack, costs of its components and their shares; memory on a
/// device, scaling, roofline, derivation of the total, the lens, provenance, and the share code.
/// Notes follow on further pages. The scenario must be valid, and contain the parts that the notes
/// are about.
Report reportOf(const ReportRequest& request);

} // namespace flopsmith
