// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/kernels/cpu/threads/parallel.h"
#include "core/kernels/shape.h"
#include "core/layer/embedding.h"

namespace flopsmith::cpu {

/// Copies the patches of images [batch, channels, size, size] into rows [batch·patches, pixels].
void cutPatches(const Embedding& embedding,
                int batch,
                const float* images,
                float* rows,
                Threads threads);

/// Rows of all patches of a batch.
std::size_t patchRowElements(const Embedding& embedding, int batch);

/// Of a table of sinusoidal positions for the tokens of an image, where positions are such.
std::size_t sinusoidalElements(const Embedding& embedding, const Shape& shape);

/// What reading images takes besides weights and output: the images, their
/// patches' rows and sinusoidal positions.
Count patchesBytesNeeded(const Embedding& embedding, const Shape& shape);

/// What their backward pass takes besides weights, gradients, norm and dy: the same without
/// positions, which have no part in it.
Count patchesBackwardBytes(const Embedding& embedding, const Shape& shape);

} // namespace flopsmith::cpu
