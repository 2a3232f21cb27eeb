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

/// The name, elided in the middle if it is too long for a file.
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
    std::vector<Pattern> patterns; ///< runs that repeat as a group, in their order
    Norm encoderNorm; ///< after the encoder blocks, if any
    Norm finalNorm;
    Head head;

    bool operator==(const Model&) const = default;

    int layers() const;

    /// Whether some blocks are an encoder's.
    bool hasEncoder() const;

    TokenTable tokenTable() const { return {embedding.vocab, embedding.width}; }

    /// What the logits of the head are over, and as wide as their matrix: the token table, or the
    /// classes of every token.
    TokenTable logitTable() const;

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
    /// apart; a pattern left with a single run becomes a longer run.
    void joinEqualRuns();

    /// Joins all equal blocks of the model into one run at the first one's position, without
    /// patterns.
    void gatherEqualBlocks();

    /// Splits runs so that block `block` is a run of its own, and returns that run. A pattern in
    /// which only one repeat is split is dropped.
    int isolateBlock(int block);

    /// Makes a run begin with block `block`, if it exists. A pattern in which that splits a run is
    /// dropped.
    void splitBefore(int block);
};

/// A model and a workload: everything that a cost depends on.
struct Scenario
{
    Model model;
    Workload workload;

    bool operator==(const Scenario&) const = default;

    /// Tokens per sequence that pass through the model (in an encoder-decoder its decoder): the
    /// workload's, or the tokens of an image.
    int queryTokens() const;

    /// Keys that the last token sees.
    int keys() const;

    /// Tokens per sequence that pass through the encoder blocks; 0 without encoder blocks.
    int sourceTokens() const;

    /// "sequence 1024", in decode "context 10", and with an encoder ", source 1024".
    std::string tokensText() const;
};

} // namespace flopsmith
