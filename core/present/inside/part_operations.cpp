// SPDX-License-Identifier: MIT
#include "core/present/inside/part_operations.h"

#include <string_view>

namespace flopsmith {
namespace {

// The node of the part in the cost tree.
std::string_view nodeNameOf(const Block& block, PartRole role)
{
    switch (role) {
    case PartRole::mixer: return info(block.mixer).id;
    case PartRole::cross: return info(block.cross).id;
    case PartRole::ffn: return "ffn";
    default: return {};
    }
}

const InsideStep* stepNamed(const InsideStep& step, std::string_view name)
{
    if (step.isOperation()) {
        return nullptr;
    }
    if (step.name == name) {
        return &step;
    }
    for (const InsideStep& inner : step.steps) {
        if (const InsideStep* found = stepNamed(inner, name)) {
            return found;
        }
    }
    return nullptr;
}

} // namespace

std::vector<PartOperation> partOperations(const InsidePicture& picture,
                                          const Block& block,
                                          PartRole role)
{
    std::vector<PartOperation> operations;
    const std::string_view name = nodeNameOf(block, role);
    for (const InsideStage& stage : picture.stages) {
        const InsideStep* part = name.empty() ? nullptr : stepNamed(stage.body, name);
        if (part == nullptr) {
            continue;
        }
        const double whole = toDouble(part->cost.flops);
        forEachOperation(*part, [&](const InsideStep& step) {
            operations.push_back(
                {.component = step.component,
                 .text = step.name + " " + insideValue(picture, step.cost, InsideMeasure::flops),
                 .share = whole > 0.0 ? toDouble(step.cost.flops) / whole : 0.0});
        });
    }
    return operations;
}

std::string operationsText(const std::vector<PartOperation>& operations)
{
    std::string text;
    for (const PartOperation& operation : operations) {
        text += (text.empty() ? "" : " \xC2\xB7 ") + operation.text;
    }
    return text;
}

} // namespace flopsmith
