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

/// How many designs can be compared.
inline constexpr std::size_t kFewestDesigns = 2;
inline constexpr std::size_t kMaxDesigns = 4;

/// One of the designs, with a name that distinguishes it from the others.
struct ComparedDesign
{
    std::string name;
    Scenario scenario{};
    /// Under the comparison's rule of pairs, if the caller has it: not owned, and used only during
    /// the call.
    const CostTree<Count>* tree = nullptr;
    const Memory* memory = nullptr; ///< the same
    /// Its label in tables, if its name begins with that; otherwise A, B, C or D.
    std::string letter{};
    std::optional<MeasuredPass> measured{}; ///< none: times were not requested
};

/// The precision in words: "in 16 bit", or if widths differ "with weights 4 bit, activations 16
/// bit, cache 8 bit".
std::string inPrecision(const Precision& precision);

/// Whether both are the same pass over the same tokens. Precision does not count: designs keep their
/// own.
bool isSamePass(const Workload& a, const Workload& b);

/// A note on designs whose workload or precision differs from the first design's: "with a workload
/// of its own: B GPT-2", "A Llama-3-8B in 16 bit". Empty if none differs.
std::string ownWorkloads(const Workload& first, std::span<const ComparedDesign> others);
std::string ownPrecisions(const Precision& first, std::span<const ComparedDesign> others);

/// A figure of every design.
struct ComparedFigure
{
    std::string key; ///< of the metric, "flops"; of a component's part of it, "flops/attention"
    std::string title;
    std::string unit;
    const Component* component = nullptr; ///< whose figure it is; null: the whole model
    std::vector<std::optional<MetricValue>> values{}; ///< by design; empty where it is not defined
    std::string note{}; ///< on measured times: why some are missing or not compared

    /// The difference from the first design; exact for counts.
    std::optional<MetricValue> delta(std::size_t design) const;

    /// The ratio to the first design; empty if either is zero.
    std::optional<double> ratio(std::size_t design) const;
};

/// A parameter in which not all designs agree.
struct ComparedParameter
{
    std::string key; ///< "d_model"; of blocks "ffn.d_ff", and "ffn" for the variant
    std::string label;
    std::string unit;
    /// By design. Empty where no block has it; where blocks differ, the value is the text of all.
    std::vector<std::optional<ParameterReading>> readings{};

    /// For parameters that are numbers, as for figures.
    std::optional<double> delta(std::size_t design) const;
    std::optional<double> ratio(std::size_t design) const;
};

/// Designs side by side, each compared with the first.
struct Comparison
{
    LensId lens = LensId::exact;
    PairsRule pairs = PairsRule::exact;
    std::vector<ComparedDesign> designs{};
    /// All computed metrics. The parts of the components follow "flops" and add up to it; a lens
    /// that is a formula has none. The last one, if times were requested, is the measured time: of
    /// one device, or empty with a note that says why.
    std::vector<ComparedFigure> figures{};
    std::vector<ComparedParameter> parameters{};
    std::vector<std::vector<AlignedBlocks>> stacks{}; ///< by design: compared with the first
};

/// Two to four designs under one lens, and one rule of pairs.
Comparison comparison(std::vector<ComparedDesign> designs, LensId lens, PairsRule pairs);

} // namespace flopsmith
