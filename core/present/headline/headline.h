// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/hardware.h"
#include "core/count/lens.h"
#include "core/model/model_cost.h"
#include "core/present/time/part_time.h"
#include "core/study/compare/comparison.h"

#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// The figures that answer what a design costs, in the order in which they are shown.
enum class HeadlineKind {
    cost, ///< of what is asked, under the lens
    parameters, ///< with the bytes that they are stored in
    memory, ///< of the cache per token; in training, of everything that a step needs
    leastTime, ///< that the roofs of a device allow
    measuredTime, ///< of all parts on the device that measures
};

template <>
std::vector<std::string_view> enumNames<HeadlineKind>();

/// Whether a figure is smaller or larger than the baseline's.
enum class Change { none, less, more };

/// One figure, to be shown large.
struct HeadlineFigure
{
    HeadlineKind kind = HeadlineKind::cost;
    std::string figure{}; ///< "215.5", "≥ 3.38"; "–" while there is none
    std::string unit{}; ///< "GFLOPs", "M parameters", "kB per token"; empty without a figure
    std::string caption{}; ///< "one pass of 1 024 tokens, exact"
    std::string exact{}; ///< with all digits, for tool tips: "215 463 493 632 FLOPs"
    std::string difference{}; ///< from the baseline: "−21 %"; empty without one
    Change change = Change::none;

    bool operator==(const HeadlineFigure&) const = default;
};

/// What the figures are made of; used only during the call.
struct HeadlineSource
{
    const Scenario& scenario;
    const CostTree<Count>& tree; ///< under the lens's pairs rule
    LensId lens = LensId::exact;
    const Hardware* hardware = nullptr; ///< of the least time; null: its roofs are not known
    std::span<const MeasuredPart> parts{}; ///< of the measured time
    std::span<const PartTime> times{}; ///< parallel to the parts; missing entries count as pending
    const ComparedDesign* baseline = nullptr; ///< or null; its tree under the same pairs rule
};

/// One figure of each kind. Designs are compared if they make the same pass; their parameters always
/// are. The least time is the sum over operations, as in roofline().
std::vector<HeadlineFigure> headline(const HeadlineSource& source);

/// "−21 %", "+0.4 %", "24×"; empty unless both are positive and differ.
std::string differenceText(double value, double baseline);

} // namespace flopsmith
