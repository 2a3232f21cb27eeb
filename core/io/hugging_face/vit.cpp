// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/vision.h"

namespace flopsmith {
namespace {

constexpr Architecture kArchitectures[]{
    {"ViTForImageClassification", HeadKind::classifier},
    {"ViTModel", HeadKind::pooler},
};

Model import(ConfigReader& config, const Architecture& architecture)
{
    return visionEncoder(config, architecture);
}

} // namespace

const Family& vitFamily()
{
    static const Family kFamily{"vit", "ViT", kArchitectures, import};
    return kFamily;
}

} // namespace flopsmith
