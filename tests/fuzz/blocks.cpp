// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/io/project/block_clip.h"
#include "tests/fuzz/target.h"

// Text of the clipboard. What is read of it is written and reads back the same.
FLOPSMITH_FUZZ_READER(blocks)
{
    using namespace flopsmith;
    const Result<BlockClip> clip = parsedClip(asText(data, size));
    if (!clip) {
        FLOPSMITH_CHECK(!clip.error().message.empty());
        return 0;
    }
    FLOPSMITH_CHECK(!clip->runs.empty());
    const Result<BlockClip> again = parsedClip(clipText(*clip));
    FLOPSMITH_CHECK(again.ok());
    FLOPSMITH_CHECK(*again == *clip);
    return 0;
}
