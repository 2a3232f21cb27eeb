// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer/patch_rows.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// One patch: a few pixels of each line of each channel.
void cutPatch(const Embedding& embedding, const float* image, int patch, float* row)
{
    const int size = embedding.imageSize;
    const int side = embedding.patchSize;
    const int across = size / side;
    const float* corner = image + patch / across * side * size + patch % across * side;
    for (int channel = 0; channel < embedding.channels; ++channel) {
        const float* plane = corner + std::ptrdiff_t{size} * size * channel;
        for (int line = 0; line < side; ++line) {
            std::copy_n(plane + std::ptrdiff_t{line} * size, side, row);
            row += side;
        }
    }
}

} // namespace

void cutPatches(const Embedding& embedding,
                int batch,
                const float* images,
                float* rows,
                Threads threads)
{
    const std::int64_t patches = embedding.patches();
    const std::int64_t all = batch * patches;
    const std::int64_t pixels = embedding.patchPixels();
    const Threads busy = threadsFor(threads, all * pixels);
    onThreads(busy, [&](int part) {
        const Range mine = partOf(all, busy.count, part);
        for (std::int64_t row = mine.first; row < mine.last; ++row) {
            const float* image = images + row / patches * embedding.imagePixels();
            cutPatch(embedding, image, static_cast<int>(row % patches), rows + row * pixels);
        }
    });
}

std::size_t patchRowElements(const Embedding& embedding, int batch)
{
    return static_cast<std::size_t>(batch) * static_cast<std::size_t>(embedding.patches())
        * static_cast<std::size_t>(embedding.patchPixels());
}

} // namespace flopsmith::cpu
