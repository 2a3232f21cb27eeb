// SPDX-License-Identifier: MIT
#include "app/bench/shared/verify_plan.h"

#include "app/bench/shared/operands.h"
#include "core/count/lens.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace flopsmith::bench {
namespace {

constexpr std::size_t kMaxRows = 256;
constexpr int kFewTokens = 3; // of a whole model, however large: one alone attends to nothing
constexpr std::size_t kMaxElements = std::size_t{1} << 20; // of the rows that are compared

std::string scientific(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", value);
    return text;
}

Shape fewTokens(const Operation& operation)
{
    const int tokens = std::min(operation.sequence, kFewTokens);
    return {.batch = 1,
            .sequence = tokens,
            .context = tokens,
            .dModel = operation.dModel,
            .source = std::min(operation.source, kFewTokens)};
}

bool readsPatches(const Operation& operation)
{
    if (const auto* whole = std::get_if<ModelOperation>(&operation.what)) {
        return whole->model.embedding.readsPatches();
    }
    const auto* embedding = std::get_if<EmbeddingOperation>(&operation.what);
    return embedding != nullptr && embedding->embedding.readsPatches();
}

} // namespace

Count flopsOf(const Operation& operation)
{
    return priced(LensId::exact, costTree(operation).total().count);
}

// Operations of the reference, which computes Fourier transforms from their definition: far more
// than the nominal count.
Count referenceOperations(const Operation& operation)
{
    if (const auto* whole = std::get_if<ModelOperation>(&operation.what)) {
        Count sum = 0;
        for (const MeasuredPart& part : measuredParts(scenarioOf(*whole, operation))) {
            sum += part.addsToTotal() ? part.uses * referenceOperations(part.operation) : Count{0};
        }
        return sum;
    }
    const auto* mixer = std::get_if<MixerSpec>(&operation.what);
    if (mixer == nullptr || !holds_alternative<FourierMixer>(*mixer)) {
        return flopsOf(operation);
    }
    const Count bins = Count{operation.batch} * operation.sequence * (operation.dModel / 2 + 1);
    return bins * (Count{4} * operation.dModel + Count{8} * operation.sequence);
}

Operation withShape(Operation operation, const Shape& shape)
{
    operation.batch = shape.batch;
    operation.sequence = shape.sequence;
    operation.context = shape.context;
    operation.source = shape.source;
    return operation;
}

Shape shapeToCheck(const Operation& operation, const Count& operations)
{
    if (readsPatches(operation)) {
        Shape oneImage = shapeOf(operation); // an image cannot be cut further
        oneImage.batch = 1;
        return referenceOperations(operation) <= operations ? shapeOf(operation) : oneImage;
    }
    const auto cost = [&](const Shape& shape) {
        return referenceOperations(withShape(operation, shape));
    };
    if (std::holds_alternative<ModelOperation>(operation.what)) {
        return flopsmith::shapeToCheck(
            shapeOf(operation), cost, std::max(operations, cost(fewTokens(operation))));
    }
    return flopsmith::shapeToCheck(shapeOf(operation), cost, operations);
}

Count activationBytes(const Count& kernelBytes, const Operation& operation, const Operation& small)
{
    const auto tokens = static_cast<Count>(shapeOf(operation).tokens());
    return kernelBytes / tokens * static_cast<Count>(shapeOf(small).tokens());
}

Count checkingKernelBytes(const Count& kernelBytes,
                          const Operation& operation,
                          const Operation& small)
{
    if (small == operation) {
        return 0;
    }
    Count weightBytes = 0;
    for (const WeightShape& shape : weightShapes(operation)) {
        weightBytes += Count{sizeof(float)} * shape.rows * shape.columns;
    }
    // Packed weights, those transposed, and gradients do not shrink with the tokens.
    return std::min(kernelBytes, activationBytes(kernelBytes, operation, small) + 3 * weightBytes);
}

// Which of `count` rows, which cost `flops` together, to check.
std::vector<std::size_t> chosenRows(std::size_t count,
                                    std::size_t width,
                                    const Count& flops,
                                    const Count& operations)
{
    const auto perRow = flops / std::max(static_cast<Count>(count), Count{1});
    const std::size_t most =
        std::clamp(kMaxElements / std::max<std::size_t>(width, 1), std::size_t{1}, kMaxRows);
    const Count affordable =
        std::min(operations, std::max(perRow, Count{1}) * static_cast<Count>(most));
    return rowsToCheck(count, perRow, affordable);
}

// Terms of the longest contraction behind an output value.
double longestSum(const Operation& operation)
{
    std::int64_t terms = operation.dModel;
    if (const auto* embedding = std::get_if<EmbeddingOperation>(&operation.what)) {
        const Embedding& e = embedding->embedding;
        const int read = e.readsPatches() ? e.patchPixels() : e.tableWidth(operation.dModel);
        return std::max<double>(operation.dModel, read);
    }
    if (!std::holds_alternative<HeadOperation>(operation.what)) {
        for (const WeightShape& shape : weightShapes(operation)) {
            terms = std::max(terms, shape.rows);
        }
    }
    return static_cast<double>(terms);
}

std::size_t outputRows(const Operation& operation)
{
    const auto* whole = std::get_if<ModelOperation>(&operation.what);
    const auto* part = std::get_if<HeadOperation>(&operation.what);
    const Head head = whole != nullptr ? whole->model.head
        : part != nullptr              ? part->head
                                       : Head{.kind = HeadKind::none};
    const bool first = !head.isLm() && head.kind != HeadKind::none; // of each sequence
    return first ? static_cast<std::size_t>(operation.batch) : shapeOf(operation).tokens();
}

Result<CheckRecord> recordOf(const RowsAgreement& compared,
                             std::size_t rows,
                             std::size_t ofRows,
                             const std::string& what,
                             const std::string& precision)
{
    const Agreement& agreement = compared.agreement;
    const double tolerance =
        agreement.magnitude > 0 ? agreement.tolerance / agreement.magnitude : 0.0;
    const std::string reference = "the reference in " + precision + " precision";
    if (std::isinf(agreement.largestError)) {
        return Error{"It gives a value that is not finite, unlike " + reference
                     + ", so it is not timed."};
    }
    if (!agreement.agrees) {
        return Error{"It differs from " + reference + " by " + scientific(agreement.relativeError())
                     + " of the largest value, more than " + scientific(tolerance)
                     + ", so it is not timed."};
    }
    CheckRecord record{.relativeError = agreement.relativeError(), .tolerance = tolerance};
    record.compared = static_cast<std::int64_t>(agreement.compared);
    record.tokens = static_cast<std::int64_t>(rows);
    record.ofTokens = static_cast<std::int64_t>(ofRows);
    record.sentence = std::to_string(rows) + " of " + std::to_string(ofRows) + " tokens" + what
        + " agree with " + reference;
    if (compared.moved > 0) {
        record.sentence += ", " + std::to_string(compared.moved)
            + " of them where a choice between equal values hangs on a rounding error";
    }
    return record;
}

} // namespace flopsmith::bench
