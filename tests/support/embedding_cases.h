// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/layer/embedding.h"

#include <algorithm>
#include <vector>

// What tests of embeddings have in common: small tables and images, and an input of either kind.
namespace flopsmith::test {

/// The same with at most `rows` rows in each table and images of a few pixels, whose edge no patch
/// reads.
inline Embedding small(Embedding embedding, int rows)
{
    embedding.vocab = std::min(embedding.vocab, rows);
    embedding.positionRows = std::min(embedding.positionRows, rows);
    embedding.tokenTypes = std::min(embedding.tokenTypes, rows);
    embedding.patchSize = std::min(embedding.patchSize, 3);
    embedding.imageSize = 2 * embedding.patchSize + 1;
    embedding.channels = std::min(embedding.channels, 2);
    embedding.extraTokens = std::min(embedding.extraTokens, 2);
    return embedding;
}

/// The norms that an embedding or a head's transform may have, without weights too.
inline std::vector<Norm> norms()
{
    return {Norm::absent(),
            Norm{},
            Norm::rms(),
            Norm{.shift = false},
            Norm{.scale = false},
            Norm{.kind = NormKind::rmsNorm, .scale = false},
            Norm{.epsilon = 0.1}};
}

/// The shape with the tokens that an image becomes, if the embedding reads one.
inline Shape shapeFor(const Embedding& embedding, Shape shape)
{
    if (embedding.readsPatches()) {
        shape.sequence = shape.context = embedding.imageTokens();
    }
    return shape;
}

/// Tokens of the vocabulary, some of them twice.
inline std::vector<int> tokensFor(const Embedding& embedding, const Shape& shape)
{
    std::vector<int> tokens;
    for (std::size_t t = 0; t < shape.tokens(); ++t) {
        tokens.push_back(static_cast<int>(t * t) % std::min(embedding.vocab, 5));
    }
    return tokens;
}

/// call(token numbers) or call(images), as the embedding reads them.
template <class S, class Call>
void withInput(const Embedding& embedding, const Shape& shape, Call call)
{
    if (embedding.readsPatches()) {
        const auto pixels = static_cast<std::size_t>(shape.batch)
            * static_cast<std::size_t>(embedding.imagePixels());
        call(randomActivations<S>(pixels, 77));
    } else {
        call(tokensFor(embedding, shape));
    }
}

} // namespace flopsmith::test
