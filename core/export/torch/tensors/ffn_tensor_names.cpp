// SPDX-License-Identifier: MIT
#include "core/export/torch/tensors/tensor_names.h"
#include "core/export/torch/tensors/tensor_rules.h"
#include "core/ffn/ffn_variants.h"

namespace flopsmith::torch {
namespace {

std::vector<std::int64_t> wholeShape(const WeightShape& shape)
{
    return {shape.rows, shape.columns};
}

TorchTensors plainTensors(const WeightShapes& shapes)
{
    TorchTensors stored;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        stored.tensors.push_back(plainTensor(shapes[i], i));
    }
    return stored;
}

// Tensors that keep their names and both dimensions.
TorchTensors wholeTensors(const WeightShapes& shapes)
{
    TorchTensors stored;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        stored.tensors.push_back({shapes[i].name, i, false, wholeShape(shapes[i])});
    }
    return stored;
}

TorchBuffer listBuffer(const std::string& name, const std::vector<int>& list)
{
    return {name, {static_cast<std::int64_t>(list.size())}, {list.begin(), list.end()}};
}

TorchBuffer signBuffer(const std::string& name, const SignMatrix& matrix)
{
    return {name, {matrix.rows, matrix.perRow}, {matrix.entries.begin(), matrix.entries.end()}};
}

// The tensors and lists of each FFN.
struct FfnTensors
{
    int dModel;

    template <class Spec>
    TorchTensors operator()(const Spec& ffn) const
    {
        return plainTensors(weights(ffn, dModel));
    }

    // x·U·V + b as two linear layers, of which the second has the bias.
    TorchTensors operator()(const LowRankFfn& ffn) const
    {
        TorchTensors stored;
        const WeightShapes shapes = weights(ffn, dModel);
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            WeightShape shape = shapes[i];
            const std::size_t dot = shape.name.find('.');
            const bool isBias = shape.name.substr(dot) == ".bias";
            shape.name = isBias ? shape.name.substr(0, dot) + ".v.bias" : shape.name + ".weight";
            stored.tensors.push_back(plainTensor(shape, i));
        }
        return stored;
    }

    TorchTensors operator()(const SpectralFfn& ffn) const
    {
        TorchTensors stored = wholeTensors(weights(ffn, dModel));
        if (ffn.selection == BinSelection::learned) {
            stored.buffers.push_back(listBuffer("bins", ffn.candidateBins(dModel)));
        }
        return stored;
    }

    TorchTensors operator()(const PolynomialFfn& ffn) const
    {
        TorchTensors stored = wholeTensors(weights(ffn, dModel));
        if (ffn.selection == ChannelSelection::fixed) {
            const std::vector<int> channels =
                fixedChannels(ffn.seed, ffn.keptChannels(dModel), dModel);
            stored.buffers.push_back(listBuffer("channels", channels));
        }
        return stored;
    }

    TorchTensors operator()(const MicroRefineFfn& ffn) const
    {
        TorchTensors stored;
        const WeightShapes shapes = weights(ffn, dModel);
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            stored.tensors.push_back({shapes[i].name, i, false, {shapes[i].columns}});
        }
        if (ffn.selection == ChannelSelection::fixed) {
            stored.buffers.push_back(listBuffer("channels", ffn.fixedList(dModel)));
        }
        return stored;
    }

    TorchTensors operator()(const RandomProjectionFfn& ffn) const
    {
        TorchTensors stored = plainTensors(weights(ffn, dModel));
        stored.buffers = {signBuffer("inward", ffn.inputProjection(dModel)),
                          signBuffer("outward", ffn.outputProjection(dModel))};
        return stored;
    }

    // Weights shared by all steps belong to the first.
    TorchTensors operator()(const TokenFeedbackFfn& ffn) const
    {
        TorchTensors stored = plainTensors(weights(ffn, dModel));
        if (ffn.stepWeights == StepWeights::shared) {
            for (TorchTensor& tensor : stored.tensors) {
                tensor.name.insert(0, "steps.0.");
            }
        }
        return stored;
    }

    TorchTensors operator()(const KroneckerFfn& ffn) const
    {
        using Factor = KroneckerFfn::Factor;
        TorchTensors stored;
        const WeightShapes shapes = weights(ffn, dModel);
        const KroneckerMatrix up = ffn.up(dModel);
        const KroneckerMatrix down = ffn.down(dModel);
        std::size_t index = 0;
        const auto addLayer = [&](const KroneckerMatrix& matrix, Factor a, Factor b) {
            addFactor(ffn, matrix.a, a, shapes[index], index, stored);
            addFactor(ffn, matrix.b, b, shapes[index + 1], index + 1, stored);
            index += 2;
            if (ffn.bias) {
                stored.tensors.push_back(plainTensor(shapes[index], index));
                ++index;
            }
        };
        addLayer(up, Factor::upA, Factor::upB);
        addLayer(down, Factor::downA, Factor::downB);
        return stored;
    }

    TorchTensors operator()(const ComposedFfn& ffn) const
    {
        TorchTensors stored;
        std::size_t first = 0;
        if (ffn.gate != GateKind::none) {
            const WeightShape gates = weights(ffn, dModel).front();
            stored.tensors.push_back({gates.name, first++, false, wholeShape(gates)});
        }
        for (std::size_t i = 0; i < ffn.stages.size(); ++i) {
            const std::string prefix = "stages." + std::to_string(i) + ".";
            TorchTensors stage = torchTensors(ffn.stages[i].spec, dModel);
            for (TorchTensor& tensor : stage.tensors) {
                tensor.name.insert(0, prefix);
                tensor.index += first;
                stored.tensors.push_back(std::move(tensor));
            }
            for (TorchBuffer& buffer : stage.buffers) {
                buffer.name.insert(0, prefix);
                stored.buffers.push_back(std::move(buffer));
            }
            first += weights(ffn.stages[i].spec, dModel).size();
        }
        return stored;
    }

    // Whole factors of all terms as [terms, in, out]; for sparse factors the entries of each row,
    // and their columns.
    void addFactor(const KroneckerFfn& ffn,
                   const KroneckerFactor& factor,
                   KroneckerFfn::Factor which,
                   const WeightShape& shape,
                   std::size_t index,
                   TorchTensors& stored) const
    {
        TorchTensor tensor{shape.name, index, false, wholeShape(shape)};
        if (factor.sparse()) {
            TorchBuffer columns =
                listBuffer(shape.name + "_columns", ffn.keptColumns(which, dModel));
            columns.shape = {factor.rows(), factor.kept};
            stored.buffers.push_back(std::move(columns));
        } else {
            tensor.shape = {factor.rank, factor.in, factor.out};
        }
        stored.tensors.push_back(std::move(tensor));
    }
};

} // namespace

TorchTensors torchTensors(const FfnSpec& ffn, int dModel)
{
    return visit(FfnTensors{dModel}, ffn);
}

} // namespace flopsmith::torch
