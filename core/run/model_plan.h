// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/kernels/shape.h"
#include "core/layer/weight_shape.h"
#include "core/model/operation.h"

#include <cstddef>
#include <string>
#include <vector>

namespace flopsmith {

/// A tensor that a model stores.
struct ModelTensor
{
    /// Of the part that owns it, and its name there: "blocks[3]/attention/qkv.weight".
    std::string path;
    WeightShape shape;

    bool operator==(const ModelTensor&) const = default;
};

/// Activations that a part reads or writes.
enum class Flow {
    stream, ///< the residual stream of the part's half [T, d]; at its end the half's output
    normed, ///< the output of a norm before mixers and FFN [T, d]
    branch, ///< to be added to the stream [T, d]
    secondBranch, ///< of an FFN parallel to a mixer
    outputs, ///< the head's
    unread, ///< an unread pooler's [B, d]
};

/// One step through a model.
struct ModelPart
{
    using Spec = PartSpec;

    std::string path; ///< as in the cost tree, but for each block: "blocks[5]/ffn"
    Spec spec;
    Stack half = Stack::decoder; ///< encoder only in an encoder-decoder
    /// An embedding reads the inputs instead. A residual adds the branch that it reads (and with
    /// two branches the second one) to the stream. A mixer with readsSource() also reads the
    /// encoder's output.
    Flow reads = Flow::stream;
    Flow writes = Flow::stream;
    WeightShapes shapes; ///< weights(spec, d)
    /// Index of each tensor in ModelPlan::tensors. Another part may own it: in a share group the
    /// first block, for a shared position bias the last earlier block with a table, for a tied head
    /// and a decoder's embedding the embedding.
    std::vector<std::size_t> tensors;

    bool operator==(const ModelPart&) const = default;
};

/// A model as a list of steps over one list of tensors.
struct ModelPlan
{
    Shape decoder; ///< sizes of the tokens' half; `source` is 0 without an encoder
    Shape encoder; ///< of the source's half
    bool hasEncoder = false;
    int vocab = 0;
    std::vector<ModelPart> parts; ///< in the order of execution, without muted and absent parts
    std::vector<ModelTensor> tensors; ///< in the order of their first use

    const Shape& shapeOf(const ModelPart& part) const
    {
        return part.half == Stack::encoder ? encoder : decoder;
    }

    /// Their shapes, for randomWeights() and zeros(): the list of values that a run takes.
    WeightShapes shapes() const;

    bool operator==(const ModelPlan&) const = default;
};

/// The steps of a legal scenario in prefill or training. Errors: decode; a variant without a
/// reference kernel; an encoder-decoder of images; a position bias that shares a table which no
/// earlier block has; a tied head whose matrix is not the token table.
Result<ModelPlan> planOf(const Scenario& scenario);

/// Another name of a tensor: used where a part reads an earlier part's tensor.
struct TensorAlias
{
    std::string path; ///< "head/logits.weight"
    std::size_t tensor = 0; ///< index in ModelPlan::tensors of "embedding/tokens"

    bool operator==(const TensorAlias&) const = default;
};

std::vector<TensorAlias> aliasesOf(const ModelPlan& plan);

} // namespace flopsmith
