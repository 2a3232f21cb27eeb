// SPDX-License-Identifier: MIT
#include "core/ffn/factored/monarch.h"

#include "core/ffn/shared/d_ff_field.h"

#include <cmath>
#include <numeric>

namespace flopsmith {
namespace {

constexpr Component kMonarchComponent{"monarch", "Monarch", 0x8822CC, Hatch::forward};

// Also defined before the number of blocks is repaired.
int legalBlocks(const MonarchFfn& ffn, int dModel)
{
    return std::gcd(std::gcd(dModel, ffn.dFf), ffn.blocks);
}

MonarchMatrix matrixOf(int blocks, int in, int width, int out)
{
    return {{in, width, blocks, BlockOrder::neighbours}, {width, out, blocks, BlockOrder::strided}};
}

void addLinear(const std::string& name,
               const MonarchMatrix& matrix,
               bool bias,
               WeightShapes& shapes)
{
    const auto add = [&](const std::string& factor, const BlockFactor& of) {
        shapes.push_back({name + factor + ".weight", of.blockIn(), of.out, Init::normal});
    };
    add(".first", matrix.first);
    add(".second", matrix.second);
    if (bias) {
        shapes.push_back({name + ".bias", 1, matrix.out(), Init::small});
    }
}

} // namespace

MonarchMatrix MonarchFfn::up(int dModel) const
{
    return matrixOf(legalBlocks(*this, dModel), dModel, dModel, dFf);
}

MonarchMatrix MonarchFfn::down(int dModel) const
{
    return matrixOf(legalBlocks(*this, dModel), dFf, dModel, dModel);
}

int MonarchFfn::usualBlocks(int dModel, int dFf)
{
    const int common = std::gcd(dModel, dFf);
    const double root = std::sqrt(dModel);
    int nearest = 1;
    for (int blocks = 2; blocks <= common; ++blocks) {
        if (common % blocks == 0 && std::abs(blocks - root) < std::abs(nearest - root)) {
            nearest = blocks;
        }
    }
    return nearest;
}

const VariantInfo& MonarchFfn::info()
{
    static constexpr VariantInfo kInfo{
        "monarch",
        "Monarch",
        "act(x\xC2\xB7L\xE2\x82\x81\xC2\xB7R\xE2\x82\x81)"
        "\xC2\xB7L\xE2\x82\x82\xC2\xB7R\xE2\x82\x82",
        "Each matrix is the product of two block-diagonal ones, first with blocks of neighbouring "
        "features, then with blocks of every b-th feature. Full rank is possible, and no parameter "
        "is used twice.",
        &kMonarchComponent};
    return kInfo;
}

const std::vector<Field<MonarchFfn>>& MonarchFfn::fields()
{
    static const std::vector<Field<MonarchFfn>> kFields{
        dFfField<MonarchFfn>(),
        integerField(&MonarchFfn::blocks,
                     {"blocks", "b", "blocks", "blocks of each block-diagonal factor", ""},
                     [](const MonarchFfn& ffn, const FieldContext& context) {
                         return LegalValues::divisorsOf(std::gcd(context.dModel, ffn.dFf));
                     }),
        choiceField(&MonarchFfn::activation,
                    {"activation", "", "activation", "between the two matrices", ""}),
        flagField(&MonarchFfn::bias, {"bias", "", "bias", "b1 and b2", ""}),
    };
    return kFields;
}

WeightShapes weights(const MonarchFfn& ffn, int dModel)
{
    WeightShapes shapes;
    addLinear("c_fc", ffn.up(dModel), ffn.bias, shapes);
    addLinear("c_proj", ffn.down(dModel), ffn.bias, shapes);
    return shapes;
}

} // namespace flopsmith
