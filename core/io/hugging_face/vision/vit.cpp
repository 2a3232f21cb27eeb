// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/vision/vision.h"

namespace flopsmith {
namespace {

constexpr Architecture kVitArchitectures[]{
    {"ViTForImageClassification", HeadKind::classifier},
    {"ViTModel", HeadKind::pooler},
};

Model importVit(ConfigReader& config, const Architecture& architecture)
{
    return visionEncoder(config, architecture);
}

constexpr Architecture kMsnArchitectures[]{
    {"ViTMSNModel", HeadKind::none},
    {"ViTMSNForImageClassification", HeadKind::classifier},
};

} // namespace

const Family& vitFamily()
{
    static const Family kFamily{"vit", "ViT", kVitArchitectures, importVit};
    return kFamily;
}

// ViT without a pooler.
const Family& vitMsnFamily()
{
    static const Family kFamily{"vit_msn", "ViT-MSN", kMsnArchitectures, importVit};
    return kFamily;
}

} // namespace flopsmith
