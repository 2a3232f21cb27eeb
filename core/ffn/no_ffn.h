// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

namespace flopsmith {

/// A block without a feed-forward part.
struct NoFfn
{
    bool operator==(const NoFfn&) const = default;

    static const VariantInfo& info();
    static const std::vector<Field<NoFfn>>& fields();
};

inline WeightShapes weights(const NoFfn& /*ffn*/, int /*dModel*/)
{
    return {};
}

} // namespace flopsmith
