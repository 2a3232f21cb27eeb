// SPDX-License-Identifier: MIT
#pragma once

#include "core/lens/lens_total.h"

#include <string>
#include <vector>

// What every lens says of fixed models, and what was printed of them: one sheet to cite, computed
// when it is asked for.
namespace flopsmith {

/// A model with its workload, from the presets or typed from where it was published.
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

/// A figure that somebody printed, beside what is computed here.
struct PublishedFigure
{
    std::string model;
    std::string workload; ///< "1 × 1024 tokens"
    std::string quantity; ///< "forward MACs"
    std::string rule; ///< the lens, and what is taken out if anything
    std::string source;
    Count published = 0;
    Count printedTo = 1; ///< the last digit that was printed, as a number
    Count computed = 0;

    /// Equal as far as it was printed.
    bool agrees() const;
};

std::vector<PublishedFigure> publishedFigures();

/// "1 × 1024 tokens", "decode, 1 × 1 token after 1023".
std::string workloadLine(const Workload& workload);

} // namespace flopsmith
