// SPDX-License-Identifier: MIT
#include "core/run/wiring.h"

#include "core/base/check.h"
#include "core/kernels/reference/layer.h"

#include <algorithm>
#include <array>
#include <variant>

namespace flopsmith {
namespace {

// The part that wrote a flow last.
class LastWriters
{
public:
    std::optional<std::size_t>& of(Flow flow, Stack half)
    {
        const std::size_t side = half == Stack::encoder ? 1 : 0;
        return m_last[static_cast<std::size_t>(flow)][side];
    }

private:
    std::array<std::array<std::optional<std::size_t>, 2>, 6> m_last;
};

PartSources sourcesOf(const ModelPart& part, LastWriters& last)
{
    PartSources sources;
    if (std::holds_alternative<EmbeddingOperation>(part.spec)) {
        return sources;
    }
    if (const auto* sum = std::get_if<ResidualOperation>(&part.spec)) {
        sources.x = last.of(Flow::stream, part.half);
        sources.branch = last.of(part.reads, part.half);
        if (sum->residual.branches > 1) {
            sources.secondBranch = last.of(Flow::secondBranch, part.half);
        }
        return sources;
    }
    sources.x = last.of(part.reads, part.half);
    const auto* mixer = std::get_if<MixerSpec>(&part.spec);
    if (mixer != nullptr && readsSource(*mixer)) {
        sources.source = last.of(Flow::stream, Stack::encoder);
    }
    return sources;
}

} // namespace

std::vector<PartSources> sourcesOf(const ModelPlan& plan)
{
    LastWriters last;
    std::vector<PartSources> all;
    for (std::size_t i = 0; i < plan.parts.size(); ++i) {
        all.push_back(sourcesOf(plan.parts[i], last));
        last.of(plan.parts[i].writes, plan.parts[i].half) = i;
    }
    return all;
}

std::size_t outputPart(const ModelPlan& plan)
{
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < plan.parts.size(); ++i) {
        const ModelPart& part = plan.parts[i];
        const bool headComes = found && plan.parts[*found].writes == Flow::outputs;
        const bool isStream = part.writes == Flow::stream && part.half == Stack::decoder;
        if (part.writes == Flow::outputs || (isStream && !headComes)) {
            found = i;
        }
    }
    FLOPSMITH_CHECK(found.has_value());
    return *found;
}

namespace {

// Tables are looked up, and logits are sums over the features; all other parts sum over rows.
std::int64_t longestContraction(const ModelPart& part, int dModel)
{
    std::int64_t terms = dModel;
    if (const auto* embedding = std::get_if<EmbeddingOperation>(&part.spec)) {
        const Embedding& e = embedding->embedding;
        return std::max<std::int64_t>(terms,
                                      e.readsPatches() ? e.patchPixels() : e.tableWidth(dModel));
    }
    if (!std::holds_alternative<HeadOperation>(part.spec)) {
        for (const WeightShape& shape : part.shapes) {
            terms = std::max(terms, shape.rows);
        }
    }
    return terms;
}

} // namespace

double contractionTerms(const ModelPlan& plan)
{
    std::int64_t sum = 0;
    for (const ModelPart& part : plan.parts) {
        sum += longestContraction(part, plan.shapeOf(part).dModel);
    }
    return static_cast<double>(sum);
}

std::size_t outputElements(const ModelPlan& plan, const ModelPart& part)
{
    const Shape& shape = plan.shapeOf(part);
    const auto* head = std::get_if<HeadOperation>(&part.spec);
    return head == nullptr ? shape.activations()
                           : reference::headOutputs(head->head, head->vocab, shape);
}

} // namespace flopsmith
