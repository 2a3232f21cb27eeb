// SPDX-License-Identifier: MIT
#include "core/ffn/token_feedback.h"

#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/selection.h"

#include <algorithm>

namespace flopsmith::reference {
namespace {

// Activations of one step for all tokens: [T, s] for the picked features, [T, r] for the hidden
// layer.
template <class S>
struct Step
{
    std::vector<std::size_t> picked; ///< indices of the picked features in [T, d]
    std::vector<S> x; ///< the picked features
    std::vector<S> phi; ///< inputs of their gates
    std::vector<S> before; ///< x·A + a
    std::vector<S> u; ///< act(before)
    std::vector<S> v; ///< u·B
    std::vector<S> z; ///< the gates
};

template <class S>
const std::vector<S>& tensor(const TokenFeedbackFfn& ffn,
                             WeightView<S> weights,
                             FeedbackTensor which,
                             int step)
{
    return weights[indexOf(ffn, which, step)];
}

// The features that a step works on for a token, in the order of the rows of A.
template <class S>
std::vector<int> pickedFeatures(const TokenFeedbackFfn& ffn, int step, std::span<const S> x)
{
    const auto d = static_cast<int>(x.size());
    const int s = ffn.keptFeatures(d);
    if (ffn.window == FeatureWindow::topK) {
        noteMoves<S>(2 * static_cast<std::size_t>(s)); // read and written by index
        return largestMagnitudes(x, s);
    }
    std::vector<int> picked;
    for (int k = 0; k < s; ++k) {
        picked.push_back((ffn.windowStart(step, d) + k) % d);
    }
    return picked;
}

bool isFirstOfSequence(std::size_t token, const Shape& shape)
{
    return token % static_cast<std::size_t>(shape.sequence) == 0;
}

// Fills picked, x and phi from the features [T, d] before the step.
template <class S>
void pick(const TokenFeedbackFfn& ffn,
          const Shape& shape,
          int step,
          std::span<const S> now,
          Step<S>& to)
{
    const auto d = static_cast<std::size_t>(shape.dModel);
    for (std::size_t t = 0; t < shape.tokens(); ++t) {
        const std::vector<int> picked = pickedFeatures(ffn, step, now.subspan(t * d, d));
        for (const int feature : picked) {
            const std::size_t at = t * d + static_cast<std::size_t>(feature);
            to.picked.push_back(at);
            to.x.push_back(now[at]);
            if (ffn.feedback == Feedback::self) {
                to.phi.push_back(now[at]);
            } else {
                to.phi.push_back(isFirstOfSequence(t, shape) ? S(0) : now[at - d]);
            }
        }
        if (ffn.feedback == Feedback::previousToken && ffn.window == FeatureWindow::topK) {
            noteMoves<S>(picked.size()); // of the previous token, read by index
        }
    }
}

template <class S>
Step<S> stepOf(const TokenFeedbackFfn& ffn,
               const Shape& shape,
               int step,
               WeightView<S> weights,
               std::span<const S> now)
{
    const auto of = [&](FeedbackTensor which) -> const std::vector<S>& {
        return tensor(ffn, weights, which, step);
    };
    const std::size_t tokens = shape.tokens();
    Step<S> result;
    pick(ffn, shape, step, now, result);
    result.before.resize(tokens * static_cast<std::size_t>(ffn.rank));
    linear<S>(
        tokens, result.x, of(FeedbackTensor::down), &of(FeedbackTensor::downBias), result.before);
    result.u = result.before;
    activate<S>(ffn.activation, result.u);
    result.v.resize(result.x.size());
    linear<S>(tokens, result.u, of(FeedbackTensor::up), nullptr, result.v);
    for (std::size_t i = 0; i < result.x.size(); ++i) {
        const std::size_t channel = result.picked[i] % static_cast<std::size_t>(shape.dModel);
        result.z.push_back(sigmoid(of(FeedbackTensor::gateScale)[channel] * result.phi[i]
                                   + of(FeedbackTensor::gateShift)[channel]));
    }
    return result;
}

// x_S ← x_S + z ⊙ v
template <class S>
void refine(const Step<S>& step, std::span<S> now)
{
    for (std::size_t i = 0; i < step.picked.size(); ++i) {
        now[step.picked[i]] = step.x[i] + step.z[i] * step.v[i];
    }
}

// Accumulates a step's weight gradients onto later steps' if they share weights.
template <class S>
void collect(const TokenFeedbackFfn& ffn, int step, const std::vector<S>& from, std::vector<S>& to)
{
    const bool isFirst = ffn.stepWeights == StepWeights::perStep || step == ffn.steps - 1;
    for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = isFirst ? from[i] : to[i] + from[i];
    }
}

// Backward pass of v = act(x_S·A + a)·B: dx_S from dv.
template <class S>
std::vector<S> productsBackward(const TokenFeedbackFfn& ffn,
                                int number,
                                WeightView<S> weights,
                                const Step<S>& step,
                                const std::vector<S>& dv,
                                GradientView<S> gradients)
{
    const std::size_t tokens = step.u.size() / static_cast<std::size_t>(ffn.rank);
    const auto gradient = [&](FeedbackTensor which) -> std::vector<S>& {
        return gradients[indexOf(ffn, which, number)];
    };
    const std::vector<S>& up = tensor(ffn, weights, FeedbackTensor::up, number);
    std::vector<S> dUp(up.size());
    std::vector<S> du(step.u.size());
    linearBackward<S>(tokens, step.u, up, dv, du, dUp, nullptr);
    collect(ffn, number, dUp, gradient(FeedbackTensor::up));
    activateBackward<S>(ffn.activation, step.before, du);

    const std::vector<S>& down = tensor(ffn, weights, FeedbackTensor::down, number);
    std::vector<S> dDown(down.size());
    std::vector<S> dBias(static_cast<std::size_t>(ffn.rank));
    std::vector<S> dx(step.x.size());
    linearBackward<S>(tokens, step.x, down, du, dx, dDown, &dBias);
    collect(ffn, number, dDown, gradient(FeedbackTensor::down));
    collect(ffn, number, dBias, gradient(FeedbackTensor::downBias));
    return dx;
}

// Turns the gradient [T, d] of a step's output into that of its input.
template <class S>
void stepBackward(const TokenFeedbackFfn& ffn,
                  const Shape& shape,
                  int number,
                  WeightView<S> weights,
                  const Step<S>& step,
                  std::vector<S>& gradient,
                  GradientView<S> gradients)
{
    const auto d = static_cast<std::size_t>(shape.dModel);
    const std::vector<S>& scale = tensor(ffn, weights, FeedbackTensor::gateScale, number);
    std::vector<S>& dScale = gradients[indexOf(ffn, FeedbackTensor::gateScale, number)];
    std::vector<S>& dShift = gradients[indexOf(ffn, FeedbackTensor::gateShift, number)];
    const std::vector<S> dNow = gradient;
    std::vector<S> beforeFirst(d); // receives gradients of the zeros before a sequence
    std::vector<S> dv(step.v.size());
    for (std::size_t i = 0; i < dv.size(); ++i) {
        const std::size_t at = step.picked[i];
        const std::size_t channel = at % d;
        const S dGate = dNow[at] * step.v[i] * (step.z[i] * (S(1) - step.z[i]));
        dv[i] = dNow[at] * step.z[i];
        dScale[channel] += dGate * step.phi[i];
        dShift[channel] += dGate;
        S& dPhi = ffn.feedback == Feedback::self ? gradient[at]
            : isFirstOfSequence(at / d, shape)   ? beforeFirst[channel]
                                                 : gradient[at - d];
        dPhi += dGate * scale[channel];
    }
    const std::vector<S> dx = productsBackward(ffn, number, weights, step, dv, gradients);
    for (std::size_t i = 0; i < dx.size(); ++i) {
        gradient[step.picked[i]] += dx[i];
    }
    if (ffn.window == FeatureWindow::topK) {
        noteMoves<S>((ffn.feedback == Feedback::self ? 2 : 3) * dx.size());
    }
}

} // namespace

template <class S>
void forward(const TokenFeedbackFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    std::vector<S> now(x.begin(), x.end());
    for (int step = 0; step < ffn.steps; ++step) {
        refine<S>(stepOf<S>(ffn, shape, step, weights, now), now);
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
        y[i] = now[i] - x[i];
    }
}

template <class S>
void backward(const TokenFeedbackFfn& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    std::vector<Step<S>> steps;
    {
        const Uncounted scope;
        std::vector<S> now(x.begin(), x.end());
        for (int step = 0; step < ffn.steps; ++step) {
            steps.push_back(stepOf<S>(ffn, shape, step, weights, now));
            refine<S>(steps.back(), now);
        }
    }
    for (std::vector<S>& gradient : gradients) {
        std::fill(gradient.begin(), gradient.end(), S(0));
    }
    std::vector<S> gradient(dy.begin(), dy.end()); // of the last step's output
    for (int step = ffn.steps - 1; step >= 0; --step) {
        const Step<S>& here = steps[static_cast<std::size_t>(step)];
        stepBackward<S>(ffn, shape, step, weights, here, gradient, gradients);
    }
    for (std::size_t i = 0; i < dx.size(); ++i) {
        dx[i] = gradient[i] - dy[i]; // y = x^M − x⁰
    }
}

FLOPSMITH_INSTANTIATE_FFN(TokenFeedbackFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(TokenFeedbackFfn)

} // namespace flopsmith::reference
