// SPDX-License-Identifier: MIT
#include "app/bench/shared/verify.h"

#include "app/bench/shared/comparison.h"
#include "app/bench/shared/verify_backward.h"
#include "app/bench/shared/verify_model.h"
#include "core/kernels/mixer_operands.h"

namespace flopsmith::bench {
namespace {

constexpr Count kScratchBytes = Count{32} << 20; // rows, their references, the selection

// LM heads and embeddings are compared on a few rows of their tables.
bool copiesItsWeights(const Operation& operation)
{
    const auto* head = std::get_if<HeadOperation>(&operation.what);
    return !std::holds_alternative<EmbeddingOperation>(operation.what)
        && (head == nullptr || head->head.kind != HeadKind::lm);
}

Count fixedParameters(Operation operation)
{
    operation.pass = ComputePass::forward; // where parameters are counted
    return costTree(operation).total().parameters.fixed;
}

} // namespace

Count checkBytes(const Operation& operation,
                 const Count& kernelBytes,
                 ReferencePrecision precision,
                 const Count& operations)
{
    // The reference makes what is stored but not trained for itself.
    Count bytes = kScratchBytes + Count{sizeof(double)} * fixedParameters(operation);
    if (operation.pass == ComputePass::backward) {
        return bytes + backwardCheckBytes(operation, kernelBytes, precision, operations);
    }
    if (precision == ReferencePrecision::float64 && copiesItsWeights(operation)) {
        for (const WeightShape& shape : weightShapes(operation)) {
            bytes += Count{sizeof(double)} * shape.rows * shape.columns;
        }
    }
    if (std::holds_alternative<ModelOperation>(operation.what)) {
        const Operation small = withShape(operation, shapeToCheck(operation, operations));
        // A kernel of its own, and the reference's activations.
        return bytes + kernelBytes + 8 * activationBytes(kernelBytes, operation, small);
    }
    if (const auto* mixer = std::get_if<MixerSpec>(&operation.what)) {
        // A kernel of its own, and about as many activations and keys in the reference's precision.
        const Operation small = withShape(operation, shapeToCheck(operation, operations));
        // Cached keys and values are copied to the reference's precision, and cut to the shape.
        const MixerOperands operands = operandsOf(*mixer, shapeOf(small));
        const Count copies =
            (precision == ReferencePrecision::float64 ? 8 : 4) + (small == operation ? 0 : 4);
        bytes += copies * static_cast<Count>(operands.cachedKeys + operands.cachedValues)
            + checkingKernelBytes(kernelBytes, operation, small)
            + 2 * activationBytes(kernelBytes, operation, small)
            + 3 * Count{sizeof(double)} * static_cast<Count>(shapeOf(small).activations());
    }
    return bytes;
}

Result<CheckRecord> verify(const Operation& operation,
                           const Operands& operands,
                           const Kernel& kernel,
                           const Backend& backend,
                           ReferencePrecision precision,
                           const Count& operations)
{
    if (operation.pass == ComputePass::backward) {
        return verifyBackward(operation, operands, kernel, backend, precision, operations);
    }
    if (const auto* whole = std::get_if<ModelOperation>(&operation.what)) {
        return verifyModel(*whole, operation, operands, kernel, backend, precision, operations);
    }
    if (precision == ReferencePrecision::float64) {
        const Comparison<double> comparison(operation, operands, kernel, backend, operations);
        return std::visit(comparison, operation.what);
    }
    const Comparison<float> comparison(operation, operands, kernel, backend, operations);
    return std::visit(comparison, operation.what);
}

} // namespace flopsmith::bench
