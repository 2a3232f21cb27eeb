// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/export/torch/template.h"
#include "core/layer/residual.h"
#include "core/model/model.h"

#include <string>

namespace flopsmith::torch {

/// A model as one file of PyTorch: the classes that it uses, each with its formula, and `class
/// Model(nn.Module)` whose constructor has all sizes as literals. forward() takes
///   tokens [B, S], of an encoder-decoder also source [B, S_src], or images [B, channels, size,
///   size]
/// and returns the head's output: logits [B, S, vocab], one row per sequence, or, without a head, x
/// [B, S, d]. Muted parts are left out; blocks of a share group are one module. Tensors are named
/// as in tensor_names.h. The Error names a block that no program can execute.
Result<std::string> modelSource(const Scenario& scenario);

/// The additions that turn the program into one for the Hugging Face library.
struct LibraryShell
{
    /// Flags for the templates: "library", "caches", "stores" and "seq2seq" (context.py).
    TemplateContext context;
    std::string imports; ///< after PyTorch's
    std::string classes; ///< after the model
};

/// The same model with padding, positions and earlier passes, which its parts get in a Context. Its
/// forward() takes input_ids, the context and, if it caches, the number of logits to keep; a model
/// of images takes only images. An encoder-decoder has encode() too.
Result<std::string> librarySource(const Scenario& scenario, const LibraryShell& shell);

/// Which tokens a program of a part reads.
enum class PartStep {
    sequence, ///< whole sequences, as the program of the model does
    decode, ///< tokens after those of earlier passes: forward() takes a Context (context.py) as well
};

/// One part likewise: its classes, and a function part() that makes it. Not for attention that reads
/// the table of an earlier block. A residual's forward() takes x, f and of two branches also g, a tied
/// head's x and the table, cross-attention's x and the encoder's output.
Result<std::string> partSource(const FfnSpec& ffn, int dModel);
Result<std::string> partSource(const MixerSpec& mixer,
                               int dModel,
                               PartStep step = PartStep::sequence);
Result<std::string> partSource(const Norm& norm, int dModel);
Result<std::string> partSource(const Residual& residual);
Result<std::string> partSource(const Embedding& embedding,
                               int dModel,
                               PartStep step = PartStep::sequence);
Result<std::string> partSource(const Head& head, int dModel, const TokenTable& table);

} // namespace flopsmith::torch
