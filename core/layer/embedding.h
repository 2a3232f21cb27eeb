// SPDX-License-Identifier: MIT
#pragma once

#include "core/layer/norm.h"

namespace flopsmith {

enum class Positions { none, learned, sinusoidal };

template <>
std::vector<std::string_view> enumNames<Positions>();

/// The kind of input of the model.
enum class InputKind {
    tokens, ///< numbers, looked up in a table
    patches, ///< squares of an image, each a product with the same matrix (ViT)
};

template <>
std::vector<std::string_view> enumNames<InputKind>();

/// The linear layer from the token table's width to d_model.
enum class Projection { none, plain, biased };

template <>
std::vector<std::string_view> enumNames<Projection>();

/// Turns the input into x [T, d].
///
/// Tokens: a row of a [vocab, width] table per token, optionally scaled, plus a row of the position
/// table and, in BERT, of the token-type table; optionally normalised. A table whose width is not d
/// (ALBERT, OPT-350M) needs a projection; FNet has one although its table is d wide.
///
/// Patches: an image of `channels` × imageSize² is cut into squares of patchSize², each of which is
/// a token; pixels left over at the right and lower edge are not read. Learned extra tokens (the
/// class token, DeiT's distillation token) come first. The position table has a row for each token.
struct Embedding
{
    int vocab = 50257; ///< V
    Positions positions = Positions::learned;
    int positionRows = 1024; ///< rows of the learned table; with patches one for each token
    int tokenTypes = 0; ///< rows of the token-type table; 0: no such table
    Norm norm = Norm::absent();
    InputKind input = InputKind::tokens;
    int imageSize = 224; ///< pixels of a side
    int patchSize = 16; ///< pixels of a side
    int channels = 3;
    int extraTokens = 1; ///< learned tokens before the patches
    bool bias = true; ///< of the patches
    int width = 0; ///< features of the token table; 0: d
    Projection projection = Projection::none;
    /// Rows of the token table times a constant (Gemma's and Marian's √d, Granite's multiplier).
    bool scale = false;
    /// Positions, token types and norm have the table's width and are added before the projection
    /// (ALBERT, FNet); otherwise they have width d and come after it (OPT-350M).
    bool positionsBeforeProjection = false;
    double scaleFactor = 0.0; ///< the constant of `scale`; 0: √d; changes no count

    bool operator==(const Embedding&) const = default;

    bool readsPatches() const { return input == InputKind::patches; }
    bool projects() const { return !readsPatches() && projection != Projection::none; }

    int patches() const { return (imageSize / patchSize) * (imageSize / patchSize); }
    /// The number of tokens of an image.
    int imageTokens() const { return patches() + extraTokens; }
    /// The number of values in a patch.
    int patchPixels() const { return channels * patchSize * patchSize; }

    /// Values in an image, including pixels at the edges that no patch reads.
    int imagePixels() const { return channels * imageSize * imageSize; }
    /// Number of tensors before the norm's.
    int tables() const
    {
        const int positionTables = positions == Positions::learned ? 1 : 0;
        return readsPatches() ? 1 + (bias ? 1 : 0) + (extraTokens > 0 ? 1 : 0) + positionTables
                              : 1 + positionTables + (tokenTypes > 0 ? 1 : 0);
    }

    int tableWidth(int dModel) const { return width > 0 ? width : dModel; }
    bool sumsBeforeProjection() const { return projects() && positionsBeforeProjection; }
    /// Features of positions, token types and norm.
    int sumWidth(int dModel) const { return sumsBeforeProjection() ? tableWidth(dModel) : dModel; }
    /// Rows of the learned position table.
    int positionTableRows() const { return readsPatches() ? imageTokens() : positionRows; }

    static const std::vector<Field<Embedding>>& fields();
};

/// Entry of the fixed position table: sin(p·10000^(−2i/d)) at feature 2i and cos of the same at
/// 2i + 1 (Vaswani et al. 2017).
double sinusoidalPosition(int position, int feature, int dModel);

/// The factor of a scaled embedding: its constant, or √d.
double embeddingScale(const Embedding& embedding, int dModel);

/// Tokens: tokens [V, width], positions [rows, ·], token types [types, ·], the norm's, the
/// projection's [width, d] and its bias [d]. Patches: weight [pixels, d], bias [d], extra tokens
/// [extra, d], positions [tokens, d], the norm's.
WeightShapes weights(const Embedding& embedding, int dModel);

} // namespace flopsmith
