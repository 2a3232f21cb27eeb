// SPDX-License-Identifier: MIT
#pragma once

#include "core/lens/lens_total.h"

#include <string>
#include <vector>

// The totals of fixed models under every lens, compared with published figures: a sheet to cite,
// computed on demand.
namespace flopsmith {

/// A model with its workload, from the presets or from its publication.
struct ConformanceModel
{
    std::string title;
    std::string source; ///< "preset gpt2", or the publication
    Scenario scenario;
};

/// One model under all lenses.
struct ConformanceEntry
{
    ConformanceModel model;
    Count parameters = 0; ///< trainable
    std::vector<LensTotal> totals{}; ///< parallel to lenses()
};

std::vector<ConformanceEntry> conformance();

/// A published figure and the computed one.
struct PublishedFigure
{
    std::string model;
    std::string workload; ///< "1 × 1024 tokens"
    std::string quantity; ///< "forward MACs"
    std::string rule; ///< the lens, and which terms are excluded
    std::string source;
    Count published = 0;
    Count printedTo = 1; ///< the unit of the last printed digit
    Count computed = 0;

    /// Whether both are equal to the printed precision.
    bool agrees() const;
};

std::vector<PublishedFigure> publishedFigures();

/// "1 × 1024 tokens", "decode, 1 × 1 token after 1023".
std::string workloadLine(const Workload& workload);

} // namespace flopsmith
