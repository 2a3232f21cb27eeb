// SPDX-License-Identifier: MIT
#include "core/budget/roofline.h"

#include "core/base/field.h"

#include <algorithm>

namespace flopsmith {

template <>
std::vector<std::string_view> enumNames<Binding>()
{
    return {"unknown", "compute", "memory"};
}

LowerBound lowerBound(double flops, double bytes, const Peaks& peaks)
{
    if (!peaks.known()) {
        return {};
    }
    const double compute = flops / peaks.flopsPerSecond;
    const double memory = bytes / peaks.bytesPerSecond;
    return {std::max(compute, memory), compute >= memory ? Binding::compute : Binding::memory};
}

double Roofline::mfuAtLowerBound() const
{
    return utilisation(toDouble(matmulFlops), whole().seconds, 1.0, peaks.flopsPerSecond);
}

LensId lensOfParts(LensId asked)
{
    return lens(asked).isFormula() ? LensId::exact : asked;
}

Roofline roofline(const CostTree<Count>& tree,
                  const Precision& precision,
                  const Peaks& peaks,
                  LensId asked)
{
    const LensId lens = lensOfParts(asked);
    Roofline result{.peaks = peaks, .lens = lens};
    result.parts.resize(static_cast<std::size_t>(std::max(tree.size(), 1)));
    // Children follow their parents, so that going backwards each part is complete when it is added
    // to the part above it.
    for (int i = tree.size() - 1; i >= 0; --i) {
        const auto& node = tree.node(i);
        RooflinePart& part = result.parts[static_cast<std::size_t>(i)];
        part.uses = tree.timesUsed(i);
        if (node.kind != OpKind::group) {
            part.flops = pricedNode<Count>(lens, node);
            part.bytes = bytes(node, precision).total();
            const LowerBound bound = lowerBound(toDouble(part.flops), toDouble(part.bytes), peaks);
            part.seconds = bound.seconds;
            part.computeBoundSeconds = bound.binding == Binding::compute ? bound.seconds : 0.0;
            part.binding = bound.binding;
        } else if (peaks.known()) {
            part.binding =
                2.0 * part.computeBoundSeconds >= part.seconds ? Binding::compute : Binding::memory;
        }
        if (node.parent >= 0) {
            RooflinePart& above = result.parts[static_cast<std::size_t>(node.parent)];
            above.flops += node.repeat * part.flops;
            above.bytes += node.repeat * part.bytes;
            above.seconds += toDouble(node.repeat) * part.seconds;
            above.computeBoundSeconds += toDouble(node.repeat) * part.computeBoundSeconds;
        }
    }
    if (tree.size() > 0) {
        result.matmulFlops = priced(LensId::matmul, tree.total().count);
    }
    return result;
}

LowerBound lowerBoundOf(const CostTree<Count>& tree,
                        const Precision& precision,
                        const Peaks& peaks,
                        LensId asked)
{
    const LensId lens = lensOfParts(asked);
    double all = 0.0;
    double compute = 0.0;
    if (!peaks.known() || tree.size() == 0) {
        return {};
    }
    tree.forEachOperation(0, [&](const CostTree<Count>::Node& operation, const Count& times) {
        const LowerBound one = lowerBound(toDouble(pricedNode<Count>(lens, operation)),
                                          toDouble(bytes(operation, precision).total()),
                                          peaks);
        const double seconds = toDouble(times) * one.seconds;
        all += seconds;
        compute += one.binding == Binding::compute ? seconds : 0.0;
    });
    return {.seconds = all, .binding = 2.0 * compute >= all ? Binding::compute : Binding::memory};
}

double utilisation(double flops, double seconds, double devices, double peakFlopsPerSecond)
{
    const double possible = seconds * devices * peakFlopsPerSecond;
    return possible > 0.0 ? flops / possible : 0.0;
}

} // namespace flopsmith
