// SPDX-License-Identifier: MIT
#pragma once

#include "core/layer/embedding.h"
#include "core/layer/head.h"
#include "core/model/block.h"
#include "core/model/pattern.h"
#include "core/model/workload.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

inline constexpr int kMaxLayers = 4'096; ///< of a model, and blocks of a run

/// `repeat` equal consecutive blocks, shown as "×12" and stored once.
struct BlockRun
{
    Block block;
    int repeat = 1;

    bool operator==(const BlockRun&) const = default;
};

inline constexpr std::size_t kLongestModelName = 1024; ///< in bytes, as files hold it

/// The name with "…" in its middle if it is too long for a file.
std::string fittingModelName(std::string_view name);

/// A transformer: embedding, a stack of blocks, a final norm and a head. A plain value.
///
/// An encoder-decoder begins with encoder blocks, which process the source's tokens and are
/// followed by `encoderNorm`; cross-attention in the decoder blocks reads their output. Both halves
/// share one embedding.
struct Model
{
    std::string name = "untitled";
    int dModel = 768; ///< d
    Embedding embedding;
    std::vector<BlockRun> runs;
    std::vector<Pattern> patterns; ///< which runs come again as a whole, in their order
    Norm encoderNorm; ///< after the encoder blocks, if any
    Norm finalNorm;
    Head head;

    bool operator==(const Model&) const = default;

    int layers() const;

    /// Whether some blocks are an encoder's.
    bool hasEncoder() const;

    TokenTable tokenTable() const { return {embedding.vocab, embedding.width}; }

    /// Number of the run's first block, counted from 0.
    int firstBlock(int run) const;

    /// The run that holds block `block`, or -1.
    int runOf(int block) const;

    /// Makes every block that shares the run's parameters, and the run in all repeats of its
    /// pattern, equal to the run.
    void alignSharedWith(int run);

    /// Whether an earlier run already owns the parameters that this one shares.
    bool ownsNoParameters(int run) const;

    /// Joins neighbouring runs of equal blocks and drops empty ones. The repeats of a pattern stay
    /// apart; one that is left with a single run becomes a longer run.
    void joinEqualRuns();

    /// Joins all equal blocks of the model into one run at the first one's position, without
    /// patterns.
    void gatherEqualBlocks();

    /// Splits runs so that block `block` stands alone, and returns its run. A pattern in which only
    /// one repeat is split is forgotten.
    int isolateBlock(int block);

    /// Lets a run begin with block `block`, if there is one. A pattern in which that splits a run
    /// is forgotten.
    void splitBefore(int block);
};

/// A model and a workload: everything that a cost depends on.
struct Scenario
{
    Model model;
    Workload workload;

    bool operator==(const Scenario&) const = default;

    /// Tokens per sequence that pass through the model (in an encoder-decoder its decoder): those
    /// of the workload, or those that an image becomes.
    int queryTokens() const;

    /// Keys that the last of them sees.
    int keys() const;

    /// Tokens per sequence that pass through the encoder blocks; 0 where there are none.
    int sourceTokens() const;

    /// "sequence 1024", in decode "context 10", and what an encoder reads: ", source 1024".
    std::string tokensText() const;
};

} // namespace flopsmith
