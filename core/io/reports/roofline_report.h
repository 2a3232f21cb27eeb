// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/hardware.h"
#include "core/budget/machine_roofs.h"
#include "core/budget/roofline.h"
#include "core/io/table/table.h"
#include "core/json/json.h"

#include <optional>
#include <string>

namespace flopsmith {

/// A scenario against the roofs of a device. `tree` and `roofline` belong together.
struct RooflineReport
{
    Scenario scenario{};
    HardwarePeak on{};
    PairsRule pairs = PairsRule::exact;
    CostTree<Count> tree{};
    Roofline roofline{};
    /// With uniform routing, if the number of experts read is uncertain.
    std::optional<Roofline> evenly{};
    /// Seconds of the whole pass, measured or typed: they determine its MFU.
    std::optional<double> measuredSeconds{};
    /// The machine's own roofs, where they were measured.
    std::optional<MachineRoofs> machine{};

    /// Matmul FLOPs ÷ (measured time × peak), if there is a time.
    std::optional<double> mfu() const;
};

RooflineReport rooflineReport(const Scenario& scenario,
                              const HardwarePeak& on,
                              LensId lens,
                              PairsRule pairs);

/// A row per part: uses, FLOPs, bytes, FLOPs per byte, which side binds, least time and its share;
/// of all uses together.
Table rooflineTable(const RooflineReport& report);

/// Device, roofs, ridge, experts that are read, the lower bound of the whole pass and MFU, a line each.
std::string rooflineHeadline(const RooflineReport& report);

/// {"model", "workload": {…}, "lens", "pairs", "hardware": {"id", "name"},
///  "peak": {"format", "flops_per_second", "source"}, "bandwidth": {"bytes_per_second", "source"},
///  "ridge", "total": {"flops", "matmul_flops", "bytes", "lower_bound_seconds", "bound",
///  "mfu_at_lower_bound", "measured_seconds", "mfu"},
///  "tree": [{"path", "flops", "bytes", "intensity", "bound", "seconds", "times_used"}]}.
/// With experts also "experts": [{"experts", "per_token", "least", "expected", "most"}] and
/// "even_routing": {"bytes", "seconds"} for their expected number. With a machine's roofs also
/// "machine", as written by peaksJson(). Numbers of a node are for one use; members that were not
/// measured are left out.
Json rooflineJson(const RooflineReport& report);

} // namespace flopsmith
