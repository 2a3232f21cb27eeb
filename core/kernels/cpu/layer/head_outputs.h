// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/shape.h"
#include "core/layer/head.h"

#include <cstddef>

namespace flopsmith::cpu {

/// Elements of a head's output.
inline std::size_t headOutputs(const Head& head, int vocab, const Shape& shape)
{
    const auto batch = static_cast<std::size_t>(shape.batch);
    switch (head.kind) {
    case HeadKind::lm:
    case HeadKind::tokens: return shape.tokens() * static_cast<std::size_t>(vocab);
    case HeadKind::pooler: return batch * static_cast<std::size_t>(shape.dModel);
    case HeadKind::classifier: return batch * static_cast<std::size_t>(head.classes);
    case HeadKind::none: break;
    }
    return 0;
}

} // namespace flopsmith::cpu
