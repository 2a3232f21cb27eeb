// SPDX-License-Identifier: MIT
#include "core/layer/embedding.h"

#include <cmath>

namespace flopsmith {

template <>
std::vector<std::string_view> enumNames<Positions>()
{
    return {"none", "learned", "sinusoidal"};
}

const std::vector<Field<Embedding>>& Embedding::fields()
{
    static const std::vector<Field<Embedding>> kFields{
        integerField(&Embedding::vocab,
                     {"vocab", "V", "vocabulary", "tokens the model knows", "tokens"},
                     [](const Embedding&, const FieldContext&) {
                         return LegalValues::integers(2, 2'000'000, Scale::log2);
                     }),
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
            [](const Embedding& e) { return e.positions == Positions::learned; }),
        integerField(
            &Embedding::tokenTypes,
            {"token_types",
             "",
             "token types",
             "rows of the token-type table (BERT has 2); 0 for none",
             ""},
            [](const Embedding&, const FieldContext&) { return LegalValues::integers(0, 64); }),
    };
    return kFields;
}

double sinusoidalPosition(int position, int feature, int dModel)
{
    const int pair = feature / 2;
    const double angle = position * std::pow(10'000.0, -2.0 * pair / dModel);
    return feature % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

WeightShapes weights(const Embedding& embedding, int dModel)
{
    WeightShapes shapes{{"tokens", embedding.vocab, dModel, Init::small}};
    if (embedding.positions == Positions::learned) {
        shapes.push_back({"positions", embedding.positionRows, dModel, Init::small});
    }
    if (embedding.tokenTypes > 0) {
        shapes.push_back({"token_types", embedding.tokenTypes, dModel, Init::small});
    }
    for (WeightShape& shape : weights(embedding.norm, dModel)) {
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

} // namespace flopsmith
