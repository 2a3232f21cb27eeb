// SPDX-License-Identifier: MIT
#include "app/bench/shared/verify_backward.h"

#include "app/bench/shared/verify_plan.h"
#include "app/bench/shared/weights_as.h"
#include "core/kernels/check.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/mixer.h"

#include <algorithm>
#include <limits>

namespace flopsmith::bench {
namespace {

// Moves of the input that are tried where the kernel disagrees.
constexpr int kInputMoves = 8;
constexpr double kMove = 8.0 * std::numeric_limits<float>::epsilon();

// The gradient of the input, if it has one, and then those of the weights.
template <class S>
using Tensors = std::vector<std::vector<S>>;

// The reference's gradients on the scalar S.
template <class S>
struct ReferenceGradients
{
    const Operation& operation;
    Shape shape;
    WeightView<S> weights;
    const Inputs& in;
    std::vector<S> x;
    std::vector<S> dy;

    Tensors<S> operator()(const FfnSpec& ffn) const
    {
        return with([&](std::span<S> dx, GradientView<S> gradients) {
            reference::backward<S>(ffn, shape, weights, x, dy, dx, gradients);
        });
    }
    Tensors<S> operator()(const MixerSpec& mixer) const
    {
        return with([&](std::span<S> dx, GradientView<S> gradients) {
            reference::backward<S>(mixer, shape, weights, x, dy, dx, gradients);
        });
    }
    Tensors<S> operator()(const NormOperation& n) const
    {
        return with([&](std::span<S> dx, GradientView<S> gradients) {
            reference::backward<S>(n.norm, shape, weights, x, dy, dx, gradients);
        });
    }
    Tensors<S> operator()(const HeadOperation& h) const
    {
        return with([&](std::span<S> dx, GradientView<S> gradients) {
            reference::backward<S>(h.head, h.vocab, shape, weights, x, dy, dx, gradients);
        });
    }
    Tensors<S> operator()(const EmbeddingOperation& e) const
    {
        auto gradients = zeros<S>(weightShapes(operation));
        if (e.embedding.readsPatches()) {
            const auto images = convertedTo<S>(in.images);
            reference::backward<S>(e.embedding, shape, weights, images, dy, gradients);
        } else {
            reference::backward<S>(e.embedding, shape, weights, in.tokenIds, dy, gradients);
        }
        return gradients;
    }
    Tensors<S> operator()(const ModelOperation&) const { return {}; } // has no such pass here
    Tensors<S> operator()(const ResidualOperation& r) const
    {
        std::vector<S> sum(x.size());
        reference::addResidual<S>(
            r.residual, x, convertedTo<S>(in.addend), convertedTo<S>(in.secondAddend), sum);
        return {sum};
    }

private:
    template <class Backward>
    Tensors<S> with(const Backward& backward) const
    {
        auto gradients = zeros<S>(weightShapes(operation));
        std::vector<S> dx(x.size());
        backward(dx, gradients);
        gradients.insert(gradients.begin(), std::move(dx));
        return gradients;
    }
};

// The worst tensor: the one whose error comes closest to what it tolerates, or exceeds it most.
template <class S>
Agreement worst(std::span<const float> found,
                const Tensors<S>& expected,
                double terms,
                double operandRounding)
{
    Agreement worst{.agrees = true};
    std::size_t first = 0;
    std::size_t compared = 0;
    double mostUsed = -1.0;
    for (const std::vector<S>& tensor : expected) {
        const std::vector<double> right(tensor.begin(), tensor.end());
        const Agreement one =
            compare(found.subspan(first, right.size()), right, terms, operandRounding);
        first += right.size();
        compared += one.compared;
        const double used = one.agrees ? one.largestError / std::max(one.tolerance, 1e-300)
                                       : std::numeric_limits<double>::infinity();
        if (!right.empty() && used > mostUsed) {
            mostUsed = used;
            worst = one;
        }
    }
    worst.compared = compared;
    return worst;
}

Inputs cutTo(const Inputs& whole, const Operation& operation, const Operation& cut)
{
    const auto front = [](const auto& values, std::size_t count) {
        return std::decay_t<decltype(values)>(
            values.begin(),
            values.begin() + static_cast<std::ptrdiff_t>(std::min(count, values.size())));
    };
    const Shape shape = shapeOf(cut);
    Inputs inputs;
    const auto* mixer = std::get_if<MixerSpec>(&cut.what);
    inputs.x = mixer == nullptr ? front(whole.x, shape.activations())
                                : mixerInput(*mixer, whole.x, shapeOf(operation), shape);
    inputs.addend = front(whole.addend, shape.activations());
    inputs.secondAddend = front(whole.secondAddend, shape.activations());
    inputs.tokenIds = front(whole.tokenIds, shape.tokens());
    if (const auto* embedding = std::get_if<EmbeddingOperation>(&cut.what)) {
        inputs.images = front(whole.images, imageElements(embedding->embedding, cut.batch));
    }
    inputs.dy = front(whole.dy, outputElements(cut));
    return inputs;
}

template <class S>
Result<CheckRecord> compared(const Operation& operation,
                             WeightView<float> weights,
                             const Inputs& in,
                             std::span<const float> found,
                             std::size_t ofTokens,
                             double operandRounding)
{
    const WeightsAs<S> converted(weights);
    const Shape shape = shapeOf(operation);
    ReferenceGradients<S> gradients{
        operation, shape, converted.view(), in, convertedTo<S>(in.x), convertedTo<S>(in.dy)};
    const double terms = std::max(longestSum(operation), static_cast<double>(shape.tokens()));
    RowsAgreement result{
        .agreement = worst(found, std::visit(gradients, operation.what), terms, operandRounding)};
    const std::vector<S> x = gradients.x;
    for (int i = 1; i <= kInputMoves && !result.agreement.agrees && !x.empty(); ++i) {
        gradients.x = movedBy(x, std::max(kMove, operandRounding), static_cast<std::uint64_t>(i));
        const Agreement nearby =
            worst(found, std::visit(gradients, operation.what), terms, operandRounding);
        if (nearby.agrees) {
            result = {.agreement = nearby, .moved = 1};
        }
    }
    const char* precision = std::is_same_v<S, float> ? "single" : "double";
    const std::string what = shape.tokens() == ofTokens ? "" : ", run by themselves,";
    return recordOf(result, shape.tokens(), ofTokens, what + " and all gradients", precision);
}

} // namespace

Count backwardCheckBytes(const Operation& operation,
                         const Count& kernelBytes,
                         ReferencePrecision precision,
                         const Count& operations)
{
    Count weightElements = 0;
    for (const WeightShape& shape : weightShapes(operation)) {
        weightElements += Count{shape.rows} * shape.columns;
    }
    const Operation small = withShape(operation, shapeToCheck(operation, operations));
    const bool inDouble = precision == ReferencePrecision::float64;
    // Gradients as the reference has them, once more in double to be compared, and its weights;
    // a kernel of its own, and some ten activations of a hidden layer besides.
    return weightElements * (inDouble ? 24 : 12)
        + checkingKernelBytes(kernelBytes, operation, small)
        + activationBytes(kernelBytes, operation, small)
        + Count{80} * static_cast<Count>(shapeOf(small).activations());
}

Result<CheckRecord> verifyBackward(const Operation& operation,
                                   const Operands& operands,
                                   const Kernel& kernel,
                                   const Backend& backend,
                                   ReferencePrecision precision,
                                   const Count& operations)
{
    const Operation small = withShape(operation, shapeToCheck(operation, operations));
    const std::size_t tokens = shapeOf(operation).tokens();
    const auto judged = [&](const Inputs& in, std::span<const float> found) {
        return precision == ReferencePrecision::float64
            ? compared<double>(
                small, operands.weights, in, found, tokens, backend.operandRounding())
            : compared<float>(
                small, operands.weights, in, found, tokens, backend.operandRounding());
    };
    if (small == operation) {
        return judged(operands.inputs, kernel.output());
    }
    const Inputs cut = cutTo(operands.inputs, operation, small);
    const Result<std::unique_ptr<Kernel>> own = backend.prepared(small, operands.weights, cut);
    if (!own) {
        return own.error();
    }
    (*own)->run();
    return judged(cut, (*own)->output());
}

} // namespace flopsmith::bench
