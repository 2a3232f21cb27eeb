// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/moe.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {

/// The experts of each token and the weights of their outputs.
struct Routes
{
    Tensor* weights = nullptr; ///< [tokens, k]
    const int* experts = nullptr; ///< [tokens, k], ascending
};

/// The router computes in float32, forward and backward.
Routes routesOf(Plan& plan, const MoeFfn& ffn, const FfnInput& in);

/// The pairs of a token and an expert as rows, sorted by expert and within an expert by token. Every
/// expert's rows begin a tile of their own, so that each tile is multiplied with one expert's matrix,
/// and how many tiles there can be is known without the choice. Rows behind an expert's last are
/// zeros.
struct ExpertTiles
{
    std::int64_t rowsOfTile = 1;
    std::int64_t tiles = 1; ///< at most
    std::int64_t experts = 1;
    std::int64_t perToken = 1;
    int* starts = nullptr; ///< [E + 1], first tile of each expert
    int* expertOfTile = nullptr; ///< those behind the last tile have any
    int* placeOfRow = nullptr; ///< token·k + place; −1: none
    int* rowOfPlace = nullptr; ///< [tokens, k]

    std::int64_t rows() const { return tiles * rowsOfTile; }
};

ExpertTiles sorted(Plan& plan, const MoeFfn& ffn, const Routes& routes);

/// The rows' copies of x, [rows, d].
Tensor* rowsOf(Plan& plan, const ExpertTiles& tiles, Tensor* x);

/// x·W of the expert of each tile, and its b where there are some.
Tensor* expertLinear(Plan& plan,
                     const ExpertTiles& tiles,
                     Tensor* x,
                     std::int64_t out,
                     const std::vector<Tensor*>& matrices,
                     const std::vector<Tensor*>& biases);

/// Σ w·row over the rows of each token.
Tensor* combined(Plan& plan, const ExpertTiles& tiles, Tensor* rows, const Routes& routes);

} // namespace flopsmith::cuda
