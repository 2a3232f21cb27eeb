// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/note/note.h"
#include "core/report/report.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The device of a report that names none.
inline constexpr std::string_view kReportHardware = "h100-sxm";

/// What the report of a design is asked for.
struct ReportRequest
{
    Scenario scenario{};
    LensId lens = LensId::exact;
    std::optional<PairsRule> pairs{}; ///< none: the lens's own
    std::optional<Hardware> hardware{}; ///< none: kReportHardware
    std::string date{}; ///< "2026-11-21": of the provenance; may be empty
    std::vector<Note> notes{}; ///< at parts of the scenario's model
};

/// A design on two pages: what it is, its stack, what its components cost, their shares; what it
/// needs of a device's memory, how its cost grows, its roofline, how the total comes about, what the
/// lens counts, where the numbers come from, and its share code. Notes on it follow on a page of their
/// own, or several. The scenario must be valid, and have what the notes stand at.
Report reportOf(const ReportRequest& request);

} // namespace flopsmith
