// SPDX-License-Identifier: MIT
#include "core/export/torch/tensors/tensor_rules.h"

#include <string_view>

namespace flopsmith::torch {
namespace {

bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// "experts[3]/c_fc.weight" → "experts.3.c_fc.weight"; a step or stage is one of steps or stages.
std::string dotted(const std::string& name)
{
    std::string text;
    for (const char c : name) {
        if (c == '[') {
            text += endsWith(text, "stage") || endsWith(text, "step") ? "s." : ".";
        } else if (c != ']') {
            text += c == '/' ? '.' : c;
        }
    }
    return text;
}

// The last part of the name if it is `from` becomes `to`.
void renameLast(std::string& name, const std::string& from, const std::string& to)
{
    if (name == from || endsWith(name, "." + from)) {
        name.replace(name.size() - from.size(), from.size(), to);
    }
}

} // namespace

TorchTensor plainTensor(const WeightShape& shape, std::size_t index)
{
    TorchTensor tensor{.name = dotted(shape.name), .index = index};
    if (tensor.name == "weight" || endsWith(tensor.name, ".weight")) {
        tensor.transposed = true;
        tensor.shape = {shape.columns, shape.rows};
        return tensor;
    }
    renameLast(tensor.name, "gamma", "weight");
    renameLast(tensor.name, "beta", "bias");
    tensor.shape = shape.rows == 1 ? std::vector<std::int64_t>{shape.columns}
                                   : std::vector<std::int64_t>{shape.rows, shape.columns};
    return tensor;
}

} // namespace flopsmith::torch
