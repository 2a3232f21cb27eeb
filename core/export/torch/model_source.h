// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <string>

namespace flopsmith::torch {

/// A model as one file of PyTorch: the classes that it uses, each with its formula, and
/// `class Model(nn.Module)` whose constructor has all sizes as literals. forward() takes
///   tokens [B, S], of an encoder-decoder also source [B, S_src], or images [B, channels, size, size]
/// and gives what the head gives: logits [B, S, vocab], one row per sequence, or, without a head,
/// x [B, S, d]. Muted parts are left out; blocks of a share group are one module. Tensors are named
/// as tensor_names.h lists them. An error names the block that no program can execute.
Result<std::string> modelSource(const Scenario& scenario);

/// One FFN or mixer likewise: its classes, and a function part() that makes it. Not for attention
/// that reads the table of an earlier block.
Result<std::string> partSource(const FfnSpec& ffn, int dModel);
Result<std::string> partSource(const MixerSpec& mixer, int dModel);

} // namespace flopsmith::torch
