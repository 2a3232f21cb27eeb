// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixer/attention/core_operands.h"

#include <vector>

// The products of attention with a written matrix of scores [batch, H, S, C], by cuBLAS. Strips of
// queries multiply with those keys only that one of them sees.
namespace flopsmith::cuda {

constexpr int kStripQueries = 256;

/// As HeadRows, with the cache as the products want it.
struct MatrixRows
{
    Operand fresh;
    Operand cached;
    int own = 0;
    int shared = 0;
};

/// Some queries and those keys of the cache, or behind it, that one of them sees.
struct ScorePart
{
    int firstQuery;
    int queries;
    bool cached;
    int firstKey; ///< of all
    int keys;
    bool begins; ///< the first of its queries
};

std::vector<ScorePart> scoreParts(const CoreSize& size);

/// scores = q·kᵀ of a part, `width` features per head of queries; or dOut·vᵀ.
void multiplyWithKeys(const Device& device,
                      const CoreSize& size,
                      const Operand& queries,
                      int width,
                      const MatrixRows& keys,
                      const ScorePart& part,
                      const Destination& scores);

/// out (+)= p·v of a part, `width` features per head of queries; or of dScores·k.
void multiplyIntoQueries(const Device& device,
                         const CoreSize& size,
                         const Operand& p,
                         const MatrixRows& values,
                         int width,
                         const ScorePart& part,
                         const Destination& out);

/// to += pᵀ·q of a part, `width` features of each head of keys.
void multiplyIntoKeys(const Device& device,
                      const CoreSize& size,
                      const Operand& p,
                      const Operand& queries,
                      int width,
                      const ScorePart& part,
                      const Destination& to);

} // namespace flopsmith::cuda
