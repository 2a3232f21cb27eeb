// SPDX-License-Identifier: MIT
#include "core/ffn/no_ffn.h"

namespace flopsmith {

const VariantInfo& NoFfn::info()
{
    static constexpr VariantInfo kInfo{
        "none",
        "No FFN",
        "0",
        "The block has no feed-forward part and no residual for one.",
        &kNormComponent};
    return kInfo;
}

const std::vector<Field<NoFfn>>& NoFfn::fields()
{
    static const std::vector<Field<NoFfn>> kFields;
    return kFields;
}

} // namespace flopsmith
