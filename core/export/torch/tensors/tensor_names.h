// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/ffn.h"
#include "core/layer/embedding.h"
#include "core/layer/head.h"
#include "core/layer/norm.h"
#include "core/mixer/mixer.h"
#include "core/model/model.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// How the tensors of a model are called in the state dict of the program that modelSource() writes,
// and how they lie there. Matrices of linear layers are [in, out] here and [out, in] there; other
// tensors keep the order of their elements and at most change their shape.
namespace flopsmith::torch {

/// A tensor of a part: the source of its values, and their transformation.
struct TorchTensor
{
    std::string name; ///< within the part: "c_fc.weight"
    std::size_t index = 0; ///< in the part's weights(spec, d)
    bool transposed = false; ///< the [rows, columns] of that tensor become [columns, rows], …
    std::vector<std::int64_t> shape; ///< … which then are read in this shape

    bool operator==(const TorchTensor&) const = default;
};

/// A list drawn from a seed. PyTorch draws other numbers from the same seed, so it is stored.
struct TorchBuffer
{
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> values;

    bool operator==(const TorchBuffer&) const = default;
};

/// The stored tensors of a part, in the order of its weights.
struct TorchTensors
{
    std::vector<TorchTensor> tensors;
    std::vector<TorchBuffer> buffers;

    bool operator==(const TorchTensors&) const = default;
};

TorchTensors torchTensors(const Norm& norm, int dModel);
TorchTensors torchTensors(const Embedding& embedding, int dModel);
TorchTensors torchTensors(const FfnSpec& ffn, int dModel);

/// A table of relative positions that an earlier block owns is left out: it is stored there.
TorchTensors torchTensors(const MixerSpec& mixer, int dModel);

/// The matrix of a tied head is left out: it is stored with the embedding. So is the pooler beside
/// an LM head, which is a part of its own.
TorchTensors torchTensors(const Head& head, int dModel, const TokenTable& table);

/// A part of a model that is executed and owns tensors.
struct TorchPart
{
    /// As the cost tree has it, but every block with its own number: "embedding",
    /// "blocks[3]/mixer_norm", "blocks[3]/ffn", "encoder_norm", "final_norm", "head", "pooler".
    std::string path;
    std::string prefix; ///< of its names in the state dict: "blocks.3.ffn."
    TorchTensors stored;

    bool operator==(const TorchPart&) const = default;
};

/// All parts in the order of execution; a share group once, with its first block.
std::vector<TorchPart> torchParts(const Model& model);

/// Tensors that are not stored because they equal another one, with the name of that one:
/// {"head.logits.weight", "embedding.tokens.weight"}, also for tables of relative positions.
std::vector<std::pair<std::string, std::string>> tiedTensors(const Model& model);

} // namespace flopsmith::torch
