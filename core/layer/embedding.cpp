// SPDX-License-Identifier: MIT
#include "core/layer/embedding.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {

template <>
std::vector<std::string_view> enumNames<Positions>()
{
    return {"none", "learned", "sinusoidal"};
}

template <>
std::vector<std::string_view> enumNames<InputKind>()
{
    return {"tokens", "patches"};
}

template <>
std::vector<std::string_view> enumNames<Projection>()
{
    return {"none", "plain", "biased"};
}

namespace {

constexpr int kLongestSide = 8192;
constexpr int kWidestTable = 65'536;

bool readsTokens(const Embedding& embedding)
{
    return !embedding.readsPatches();
}

bool readsPatches(const Embedding& embedding)
{
    return embedding.readsPatches();
}

bool projects(const Embedding& embedding)
{
    return embedding.projects();
}

// A table that is not d wide needs a linear layer to d.
LegalValues legalProjection(const Embedding& embedding, const FieldContext& context)
{
    std::vector<std::string_view> names = enumNames<Projection>();
    if (embedding.tableWidth(context.dModel) != context.dModel) {
        names.erase(names.begin());
    }
    return LegalValues::choices(names);
}

Field<Embedding> projectionField()
{
    Field<Embedding> field =
        choiceField(&Embedding::projection,
                    {"embedding_projection",
                     "",
                     "projection",
                     "the linear layer from the token table's width to d_model, with or without "
                     "bias; one is needed where they differ",
                     ""});
    field.legal = legalProjection;
    return onlyIf(field, readsTokens);
}

std::vector<Field<Embedding>> tokenFields()
{
    return {
        onlyIf(integerField(&Embedding::vocab,
                            {"vocab", "V", "vocabulary", "tokens the model knows", "tokens"},
                            [](const Embedding&, const FieldContext&) {
                                return LegalValues::integers(2, 2'000'000, Scale::log2);
                            }),
               readsTokens),
        onlyIf(integerField(&Embedding::width,
                            {"embedding_width",
                             "d_e",
                             "embedding width",
                             "features of the token table; 0 means d_model",
                             "features"},
                            [](const Embedding&, const FieldContext&) {
                                return LegalValues::integers(0, kWidestTable, Scale::log2);
                            }),
               readsTokens),
        projectionField(),
        onlyIf(flagField(&Embedding::scale,
                         {"embedding_scale",
                          "",
                          "embedding scale",
                          "rows of the token table times a constant, such as the root of d_model",
                          ""}),
               readsTokens),
    };
}

std::vector<Field<Embedding>> imageFields()
{
    const auto sideField = [](int Embedding::*member, const FieldText& text, auto legal) {
        return onlyIf(integerField(member, text, legal), readsPatches);
    };
    return {
        sideField(&Embedding::imageSize,
                  {"image_size", "", "image size", "pixels of an image's side", "pixels"},
                  [](const Embedding& e, const FieldContext&) {
                      return LegalValues::integers(
                          std::max(1, e.patchSize), kLongestSide, Scale::log2);
                  }),
        sideField(&Embedding::patchSize,
                  {"patch_size",
                   "s_patch",
                   "patch size",
                   "pixels of a patch's side; each patch is a token",
                   "pixels"},
                  [](const Embedding& e, const FieldContext&) {
                      return LegalValues::integers(1, std::clamp(e.imageSize, 1, 1024));
                  }),
        sideField(&Embedding::channels,
                  {"channels", "c_in", "channels", "colours of a pixel", ""},
                  [](const Embedding&, const FieldContext&) {
                      return LegalValues::integers(1, 1024, Scale::log2);
                  }),
        sideField(
            &Embedding::extraTokens,
            {"extra_tokens",
             "",
             "extra tokens",
             "learned tokens before the patches: 1 for a class token, 2 in DeiT",
             "tokens"},
            [](const Embedding&, const FieldContext&) { return LegalValues::integers(0, 64); }),
        onlyIf(flagField(&Embedding::bias,
                         {"patch_bias", "", "patch bias", "a bias of the patches' product", ""}),
               readsPatches),
    };
}

std::vector<Field<Embedding>> tableFields()
{
    return {
        choiceField(&Embedding::positions,
                    {"positions",
                     "",
                     "positions",
                     "a learned table, a fixed sinusoidal one, or none (as with RoPE)",
                     ""}),
        onlyIf(
            integerField(&Embedding::positionRows,
                         {"position_rows",
                          "P",
                          "position rows",
                          "rows of the learned position table: the longest sequence it can serve",
                          "tokens"},
                         [](const Embedding&, const FieldContext&) {
                             return LegalValues::integers(1, 16'777'216, Scale::log2);
                         }),
            [](const Embedding& e) {
                return e.positions == Positions::learned && !e.readsPatches();
            }),
        onlyIf(integerField(&Embedding::tokenTypes,
                            {"token_types",
                             "",
                             "token types",
                             "rows of the token-type table (BERT has 2); 0 for none",
                             ""},
                            [](const Embedding&, const FieldContext&) {
                                return LegalValues::integers(0, 64);
                            }),
               readsTokens),
        onlyIf(flagField(&Embedding::positionsBeforeProjection,
                         {"positions_before_projection",
                          "",
                          "positions before projection",
                          "positions, token types and norm at the table's width, the projection "
                          "after them",
                          ""}),
               projects),
    };
}

} // namespace

const std::vector<Field<Embedding>>& Embedding::fields()
{
    static const std::vector<Field<Embedding>> kFields = [] {
        std::vector<Field<Embedding>> all{choiceField(
            &Embedding::input,
            {"input", "", "input", "tokens of a vocabulary, or the patches of an image", ""})};
        for (const auto& more : {tokenFields(), imageFields(), tableFields()}) {
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }();
    return kFields;
}

double sinusoidalPosition(int position, int feature, int dModel)
{
    const int pair = feature / 2;
    const double angle = position * std::pow(10'000.0, -2.0 * pair / dModel);
    return feature % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

double embeddingScale(const Embedding& embedding, int dModel)
{
    return embedding.scaleFactor != 0.0 ? embedding.scaleFactor
                                        : std::sqrt(static_cast<double>(dModel));
}

WeightShapes weights(const Embedding& embedding, int dModel)
{
    const int width = embedding.sumWidth(dModel);
    WeightShapes shapes;
    if (embedding.readsPatches()) {
        shapes.push_back({"patches.weight", embedding.patchPixels(), dModel, Init::normal});
        if (embedding.bias) {
            shapes.push_back({"patches.bias", 1, dModel, Init::small});
        }
        if (embedding.extraTokens > 0) {
            shapes.push_back({"extra_tokens", embedding.extraTokens, dModel, Init::small});
        }
    } else {
        shapes.push_back({"tokens", embedding.vocab, embedding.tableWidth(dModel), Init::small});
    }
    if (embedding.positions == Positions::learned) {
        shapes.push_back({"positions", embedding.positionTableRows(), width, Init::small});
    }
    if (!embedding.readsPatches() && embedding.tokenTypes > 0) {
        shapes.push_back({"token_types", embedding.tokenTypes, width, Init::small});
    }
    for (WeightShape& shape : weights(embedding.norm, width)) {
        shapes.push_back(std::move(shape));
    }
    if (embedding.projects()) {
        shapes.push_back({"projection.weight", embedding.tableWidth(dModel), dModel, Init::normal});
        if (embedding.projection == Projection::biased) {
            shapes.push_back({"projection.bias", 1, dModel, Init::small});
        }
    }
    return shapes;
}

} // namespace flopsmith
