// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/vision/vision.h"

namespace flopsmith {
namespace {

constexpr Architecture kDeitArchitectures[]{
    {"DeiTForImageClassification", HeadKind::classifier},
    {"DeiTForImageClassificationWithTeacher", HeadKind::classifier},
    {"DeiTModel", HeadKind::pooler},
};

// ViT with a distillation token, which has a classifier of its own if the teacher's is kept.
Model importDeit(ConfigReader& config, const Architecture& architecture)
{
    Model model = visionEncoder(config, architecture);
    model.embedding.extraTokens = 2;
    if (architecture.name == "DeiTForImageClassificationWithTeacher") {
        const int classes = model.head.classes;
        model.head.classes = timesWidth(2, classes);
        config.note("its two classifiers of " + std::to_string(classes)
                    + " classes are one of twice as many here; that their logits are averaged is "
                      "not counted");
    }
    return model;
}

} // namespace

const Family& deitFamily()
{
    static const Family kFamily{"deit", "DeiT", kDeitArchitectures, importDeit};
    return kFamily;
}

} // namespace flopsmith
