// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The version of copied blocks that this program writes, and the newest that it reads.
inline constexpr int kClipFormat = 1;

/// Runs of blocks that were copied from a model, and its width, for which they were legal.
struct BlockClip
{
    int dModel = 0;
    std::vector<BlockRun> runs{};

    bool operator==(const BlockClip&) const = default;
};

/// The text for the clipboard, with the runs as project files have them:
///   {"flopsmith_blocks": 1, "d_model": 768, "blocks": [{"repeat": 6, …}]}
/// Reading it gives equal blocks.
std::string clipText(const BlockClip& clip);

/// Reads at least one block and at most as many as a model may have. Other texts, newer versions,
/// unknown keys and wrong types are an Error: one sentence that names the place. Whether the blocks
/// are legal depends on the model that they are pasted into.
Result<BlockClip> parsedClip(std::string_view text);

} // namespace flopsmith
