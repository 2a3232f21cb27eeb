// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixer/attention/core_operands.h"

#include <vector>

// The products of attention with a materialised score matrix [batch, H, S, C], by cuBLAS. A strip
// of queries is multiplied only with the keys that at least one of its queries sees.
namespace flopsmith::cuda {

constexpr int kStripQueries = 256;

/// As HeadRows, with the cache in the operands' element.
struct MatrixRows
{
    Operand fresh;
    Operand cached;
    int own = 0;
    int shared = 0;
};

/// A strip of queries with the cached keys, or with the fresh keys, that at least one of them sees.
struct ScorePart
{
    int firstQuery;
    int queries;
    bool cached;
    int firstKey; ///< of all
    int keys;
    bool begins; ///< the first part of its queries
};

std::vector<ScorePart> scoreParts(const CoreSize& size);

/// scores = q·kᵀ of a part, or dOut·vᵀ; `width` features per query head.
void multiplyWithKeys(const Device& device,
                      const CoreSize& size,
                      const Operand& queries,
                      int width,
                      const MatrixRows& keys,
                      const ScorePart& part,
                      const Destination& scores);

/// out (+)= p·v of a part, or dScores·k; `width` features per query head.
void multiplyIntoQueries(const Device& device,
                         const CoreSize& size,
                         const Operand& p,
                         const MatrixRows& values,
                         int width,
                         const ScorePart& part,
                         const Destination& out);

/// to += pᵀ·q of a part; `width` features per KV head.
void multiplyIntoKeys(const Device& device,
                      const CoreSize& size,
                      const Operand& p,
                      const Operand& queries,
                      int width,
                      const ScorePart& part,
                      const Destination& to);

} // namespace flopsmith::cuda
