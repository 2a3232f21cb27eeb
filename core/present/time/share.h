// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/machine_roofs.h"
#include "core/count/lens.h"
#include "core/model/model_cost.h"
#include "core/model/operation.h"
#include "core/present/time/part_time.h"
#include "core/study/compare/comparison.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// The origin of a figure: computed and measured values never look the same.
enum class Origin { computed, measured, stored };

/// One component's part of a whole.
struct Slice
{
    const Component* component = nullptr;
    std::string title{};
    std::vector<std::string> paths{}; ///< in the cost tree, of parts with stages; otherwise empty
    double value = 0.0;
    Count count = 0; ///< the exact number; 0 for seconds
    double share = 0.0; ///< of the whole, 0 … 1; while parts of it are missing, of the ring
    bool isPart = false; ///< its value is not known yet: parts of it have none
    std::string valueText{}; ///< "80.9 GFLOPs"
    std::string exactText{}; ///< all digits, for tool tips: "80 912 345 088 FLOPs"
};

/// A whole and its parts by component, in the order of the model, parts of zero left out. The
/// slices sum to the whole exactly: counts as integers, seconds because the whole is their sum.
struct Donut
{
    Origin origin = Origin::computed;
    std::string key{}; ///< in files: "flops", "macs", "parameters", "bytes", "seconds"
    std::string title{}; ///< "computed, exact"
    std::string brief{}; ///< of a design: over its column of shares; empty: by the key
    std::string figure{}; ///< "218.7"
    std::string unit{}; ///< "GFLOPs"
    double total = 0.0; ///< of the slices with a value
    /// Parts without a value leave a gap of this share in the ring. Then figure and unit say how
    /// many parts there are ("2 of 10", "parts"), and there are no percentages.
    bool isComplete = true;
    double missingShare = 0.0;
    Count count = 0; ///< the exact whole; 0 for seconds
    std::string rangeText{}; ///< "4.10 s to 6.50 s": the range of repeated measurements, or empty
    std::vector<Slice> slices{};
    std::string note{}; ///< what a reader must know; may be empty
    std::string failure{}; ///< which part failed and why; empty if none did
    std::string emptyText{}; ///< shown instead of a ring without slices

    bool empty() const { return slices.empty(); }
    const Slice* slice(const Component& component) const;
};

/// FLOPs (or MACs) under a lens. The tree must have been computed with the lens's pairs rule. A lens
/// that is a formula has no slices: see formulaDonut.
Donut flopsDonut(const CostTree<Count>& tree, LensId lens);

/// A whole without parts: the figure of a lens that is a formula.
Donut formulaDonut(const Scenario& scenario, LensId lens);

/// Trainable parameters, shared ones once.
Donut parametersDonut(const CostTree<Count>& tree);

/// Bytes moved by one pass: weights, activations and cached keys and values.
Donut bytesDonut(const CostTree<Count>& tree, const Precision& precision);

/// Measured seconds of one pass, from times parallel to `parts`. A composed FFN's time is measured
/// as a whole. Its stages get the times that they took alone (scaled down if they are longer than
/// the whole), and the remainder is the gates and sums. Parts without a time are a gap as wide as
/// their lower bound by the roofs; without roofs, as their number among all parts. The whole is "≈
/// 5.23 s" if one of its times has not settled. `device` names the machine in the title: "this
/// CPU".
Donut timeDonut(std::span<const MeasuredPart> parts,
                std::span<const PartTime> times,
                const std::string& device,
                const std::optional<MachineRoofs>& roofs = {},
                const RoofConditions& as = {});

/// The donuts of the Share view: FLOPs under the lens, measured time, parameters; without times,
/// while nothing is being measured, moved bytes instead of the time. The tree must have been
/// computed with the lens's pairs rule.
std::vector<Donut> usualDonuts(const Scenario& scenario,
                               const CostTree<Count>& tree,
                               LensId lens,
                               std::span<const MeasuredPart> parts,
                               std::span<const PartTime> times,
                               const std::string& device,
                               const std::optional<MachineRoofs>& roofs = {},
                               const RoofConditions& as = {});

/// The donuts for several designs: the FLOPs of each under the lens, one donut per design with its
/// name. Missing trees are computed under the rule of pairs.
std::vector<Donut> comparedDonuts(std::span<const ComparedDesign> designs,
                                  LensId lens,
                                  PairsRule pairs);

/// "37.0 %", or while parts are missing the slice's own "614 ms"; "–" without a figure.
std::string shareText(const Donut& donut, const Slice* slice);

/// A line of the table below the donuts: one component in all of them, in the order of the model.
struct LegendRow
{
    const Component* component = nullptr;
    std::string title{};
    std::vector<std::string> shares{}; ///< per donut: shareText()
};

std::vector<LegendRow> legendRows(std::span<const Donut> donuts);

} // namespace flopsmith
