// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

// Published models that have an encoder, in their published sizes.
namespace flopsmith {

Model bertBase();

/// BERT's shape with Fourier mixing and a linear layer d → d after the embedding.
Model fnetBase();

/// One block used twelve times; embedding tables of 128 features, projected to 768.
Model albertBase();

/// ViT-B/16 at 224², with a head of 1000 classes.
Model vitBase16();

/// Encoder and decoder of six blocks each, with one table of relative positions for each half.
Model t5Small();

} // namespace flopsmith
