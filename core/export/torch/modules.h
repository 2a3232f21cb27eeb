// SPDX-License-Identifier: MIT
#pragma once

#include "core/export/torch/class_list.h"
#include "core/ffn/ffn.h"
#include "core/layer/embedding.h"
#include "core/layer/head.h"
#include "core/layer/norm.h"
#include "core/mixer/mixer.h"

#include <string>

// The parts of a model as constructor calls, "Dense(d=768, d_ff=3072)", whose classes are added to
// a list. Flags and choices determine the class; numbers are arguments of its constructor.
namespace flopsmith::torch {

/// A norm of rows of `width` features. Not for the kind none.
PythonExpression normModule(const Norm& norm, int width, ClassList& classes);

/// The class of such norms, PyTorch's own if it has one: `X(width, eps=…)` makes one.
std::string normClass(const Norm& norm, ClassList& classes);

PythonExpression ffnModule(const FfnSpec& ffn, int dModel, ClassList& classes);

/// `relativeBias`: where the table of relative positions of an earlier block is found, for attention
/// that reads that one.
PythonExpression mixerModule(const MixerSpec& mixer,
                             int dModel,
                             const std::string& relativeBias,
                             ClassList& classes);

PythonExpression embeddingModule(const Embedding& embedding, int dModel, ClassList& classes);

/// Not for a head of the kind none.
PythonExpression headModule(const Head& head,
                            int dModel,
                            const TokenTable& table,
                            ClassList& classes);

} // namespace flopsmith::torch
