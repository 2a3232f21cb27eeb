// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/threads/parallel.h"
#include "core/layer/embedding.h"

#include <cstddef>

namespace flopsmith::cpu {

/// Copies the patches of images [batch, channels, size, size] into rows [batch·patches, pixels].
void cutPatches(const Embedding& embedding,
                int batch,
                const float* images,
                float* rows,
                Threads threads);

/// Elements of the rows of all patches of a batch.
std::size_t patchRowElements(const Embedding& embedding, int batch);

} // namespace flopsmith::cpu
