// SPDX-License-Identifier: MIT
#include "core/export/torch/module_fields.h"
#include "core/export/torch/modules.h"

namespace flopsmith::torch {

std::string normClass(const Norm& norm, ClassList& classes)
{
    const bool isLayerNorm = norm.kind == NormKind::layerNorm;
    if (isLayerNorm && norm.scale && norm.hasShift()) {
        return "nn.LayerNorm";
    }
    ModuleText module{.path = "layer/norm.py", .className = isLayerNorm ? "LayerNorm" : "RMSNorm"};
    addFields(norm, Norm::fields(), module);
    addFlag("norm_shift", norm.hasShift(), module);
    return classes.classOf(module);
}

PythonExpression normModule(const Norm& norm, int width, ClassList& classes)
{
    return PythonExpression::call(normClass(norm, classes))
        .with("", PythonExpression::number(std::int64_t{width}))
        .with("eps", PythonExpression::number(norm.epsilon));
}

PythonExpression embeddingModule(const Embedding& embedding, int dModel, ClassList& classes)
{
    const bool readsPatches = embedding.readsPatches();
    ModuleText module{.path = readsPatches ? "layer/patch_embedding.py" : "layer/embedding.py",
                      .className = readsPatches ? "PatchEmbedding" : "Embedding"};
    addFields(embedding, Embedding::fields(), module);
    addFlag("positions_before_projection", embedding.sumsBeforeProjection(), module);
    addField("scale_factor", embedding.scaleFactor, module);
    addNorm("NORM", embedding.norm, module, classes);
    addNumber("d", dModel, module);
    addNumber("embedding_width", embedding.tableWidth(dModel), module);
    module.context.names["WIDTH"] = embedding.projects() ? "embedding_width" : "d";
    module.context.names["SUM_WIDTH"] = embedding.sumsBeforeProjection() ? "embedding_width" : "d";
    addNumber("image_tokens", readsPatches ? embedding.imageTokens() : 0, module);
    return classes.module(module);
}

namespace {

PythonExpression lmHeadModule(const Head& head,
                              int dModel,
                              const TokenTable& table,
                              ClassList& classes)
{
    ModuleText module{.path = "layer/lm_head.py", .className = "LMHead"};
    addFields(head, Head::fields(), module);
    addFlag("head_projection", head.hasProjection(), module);
    addNorm("NORM", head.hasTransform() ? head.norm : Norm::absent(), module, classes);
    addActivation(head.activation, module);
    addField("scale_factor", head.scaleFactor, module);
    addNumber("d", dModel, module);
    addNumber("vocab", table.vocab, module);
    addNumber("width", table.widthFor(head, dModel), module);
    module.arguments["soft_cap"] = PythonExpression::number(head.softCap);
    return classes.module(module);
}

} // namespace

PythonExpression headModule(const Head& head,
                            int dModel,
                            const TokenTable& table,
                            ClassList& classes)
{
    if (head.isOfEveryToken()) {
        return lmHeadModule(head.computed(), dModel, table, classes);
    }
    ModuleText module{.path = "layer/first_token_head.py",
                      .className = head.kind == HeadKind::pooler ? "Pooler" : "Classifier"};
    addFields(head, Head::fields(), module);
    addFlag("pools", head.hasPooler(), module);
    addNumber("d", dModel, module);
    return classes.module(module);
}

} // namespace flopsmith::torch
