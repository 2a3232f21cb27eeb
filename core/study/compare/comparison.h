// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/memory.h"
#include "core/count/lens.h"
#include "core/model/model_cost.h"
#include "core/study/compare/parameter_reading.h"
#include "core/study/compare/stack_alignment.h"
#include "core/study/sweep/pass_time.h"
#include "core/study/variation/metric.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// How many designs stand beside each other.
inline constexpr std::size_t kFewestDesigns = 2;
inline constexpr std::size_t kMaxDesigns = 4;

/// One of them, under the name that tells it from the others.
struct ComparedDesign
{
    std::string name;
    Scenario scenario{};
    /// Under the comparison's rule of pairs, if somebody has it: not owned, and not kept.
    const CostTree<Count>* tree = nullptr;
    const Memory* memory = nullptr; ///< likewise
    /// How tables call it, if its name begins with that already; else it is A, B, C or D.
    std::string letter{};
    std::optional<MeasuredPass> measured{}; ///< none: nobody looked for times
};

/// How figures that depend on precision name it: "in 16 bit", or where numbers have several widths
/// "with weights 4 bit, activations 16 bit, cache 8 bit".
std::string inPrecision(const Precision& precision);

/// Whether both are the same pass over the same tokens. Precision does not count: designs keep their
/// own.
bool isSamePass(const Workload& a, const Workload& b);

/// Which designs differ from the first in what their figures depend on, for a note: "with a workload
/// of its own: B GPT-2", "A Llama-3-8B in 16 bit". Empty where none does.
std::string ownWorkloads(const Workload& first, std::span<const ComparedDesign> others);
std::string ownPrecisions(const Precision& first, std::span<const ComparedDesign> others);

/// A figure of every design.
struct ComparedFigure
{
    std::string key; ///< of the metric, "flops"; of a component's part of it, "flops/attention"
    std::string title;
    std::string unit;
    const Component* component = nullptr; ///< whose part it is; none: of the whole model
    std::vector<std::optional<MetricValue>> values{}; ///< by design; none where it means nothing
    std::string note{}; ///< of measured times: why some are missing or not compared; else empty

    /// What the design has more than the first; exact for counts.
    std::optional<MetricValue> delta(std::size_t design) const;

    /// Over the first design's; none where one of both is zero.
    std::optional<double> ratio(std::size_t design) const;
};

/// A parameter in which not all designs agree.
struct ComparedParameter
{
    std::string key; ///< "d_model"; of blocks "ffn.d_ff", and "ffn" for the variant
    std::string label;
    std::string unit;
    /// By design. None where nothing has it; where blocks differ, the value is the text of all.
    std::vector<std::optional<ParameterReading>> readings{};

    /// Of numbers that stand for themselves, as those of figures.
    std::optional<double> delta(std::size_t design) const;
    std::optional<double> ratio(std::size_t design) const;
};

/// Designs beside each other, each against the first.
struct Comparison
{
    LensId lens = LensId::exact;
    PairsRule pairs = PairsRule::exact;
    std::vector<ComparedDesign> designs{};
    /// All metrics that are counted. The parts of the components follow "flops" and sum up to it;
    /// a lens that is a formula has none. Last, where somebody looked for it, the measured time:
    /// of one device, or of none with a note that says why.
    std::vector<ComparedFigure> figures{};
    std::vector<ComparedParameter> parameters{};
    std::vector<std::vector<AlignedBlocks>> stacks{}; ///< by design: the first beside it
};

/// Two to four designs under one lens, and one rule of pairs.
Comparison comparison(std::vector<ComparedDesign> designs, LensId lens, PairsRule pairs);

} // namespace flopsmith
