// SPDX-License-Identifier: MIT
#include "core/base/check.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/layer/first_token_head.h"
#include "core/kernels/reference/layer/lm_head.h"

#include <algorithm>

namespace flopsmith::reference {

std::size_t headOutputs(const Head& head, int vocab, const Shape& shape)
{
    const auto batch = static_cast<std::size_t>(shape.batch);
    switch (head.kind) {
    case HeadKind::lm:
    case HeadKind::tokens: return shape.tokens() * static_cast<std::size_t>(vocab);
    case HeadKind::pooler: return batch * static_cast<std::size_t>(shape.dModel);
    case HeadKind::classifier: return batch * static_cast<std::size_t>(head.classes);
    case HeadKind::none: return 0;
    }
    return 0;
}

template <class S>
void forward(const Head& head,
             int vocab,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    FLOPSMITH_CHECK(y.size() == headOutputs(head, vocab, shape));
    if (head.isOfEveryToken()) {
        LmHead<S>(head.computed(), vocab, shape, weights).forward(x, y);
    } else if (head.kind != HeadKind::none) {
        FirstTokenHead<S>(head, shape, weights).forward(x, y);
    }
}

template <class S>
void backward(const Head& head,
              int vocab,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    FLOPSMITH_CHECK(dy.size() == headOutputs(head, vocab, shape));
    const auto runForward = [&](auto& kernel) {
        const Uncounted scope;
        std::vector<S> y(dy.size());
        kernel.forward(x, y);
    };
    if (head.isOfEveryToken()) {
        LmHead<S> kernel(head.computed(), vocab, shape, weights);
        runForward(kernel);
        kernel.backward(x, dy, dx, gradients);
    } else if (head.kind != HeadKind::none) {
        FirstTokenHead<S> kernel(head, shape, weights);
        runForward(kernel);
        kernel.backward(dy, dx, gradients);
    } else {
        std::fill(dx.begin(), dx.end(), S(0));
    }
}

#define FLOPSMITH_HEAD_INSTANCE(S)                                                                 \
    template void forward<S>(                                                                      \
        const Head&, int, const Shape&, WeightView<S>, std::span<const S>, std::span<S>);          \
    template void backward<S>(const Head&,                                                         \
                              int,                                                                 \
                              const Shape&,                                                        \
                              WeightView<S>,                                                       \
                              std::span<const S>,                                                  \
                              std::span<const S>,                                                  \
                              std::span<S>,                                                        \
                              GradientView<S>);
FLOPSMITH_HEAD_INSTANCE(float)
FLOPSMITH_HEAD_INSTANCE(double)
FLOPSMITH_HEAD_INSTANCE(Counted)

} // namespace flopsmith::reference
