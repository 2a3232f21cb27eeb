// SPDX-License-Identifier: MIT
#include "core/base/check.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/layer.h"

namespace flopsmith::reference {

template <class S>
void addResidual(std::span<const S> x, std::span<const S> f, std::span<S> sum)
{
    addResidual<S>(Residual{}, x, f, {}, sum);
}

template <class S>
void addResidual(const Residual& residual,
                 std::span<const S> x,
                 std::span<const S> f,
                 std::span<const S> g,
                 std::span<S> sum)
{
    FLOPSMITH_CHECK(x.size() == f.size() && x.size() == sum.size());
    FLOPSMITH_CHECK(g.size() == (residual.branches > 1 ? x.size() : 0));
    for (std::size_t i = 0; i < x.size(); ++i) {
        S branches = f[i];
        if (residual.branches > 1) {
            branches += g[i];
        }
        if (residual.scale) {
            branches *= S(residual.factor);
        }
        sum[i] = x[i] + branches;
    }
}

#define FLOPSMITH_RESIDUAL_INSTANCE(S)                                                             \
    template void addResidual<S>(std::span<const S>, std::span<const S>, std::span<S>);            \
    template void addResidual<S>(const Residual&,                                                  \
                                 std::span<const S>,                                               \
                                 std::span<const S>,                                               \
                                 std::span<const S>,                                               \
                                 std::span<S>);
FLOPSMITH_RESIDUAL_INSTANCE(float)
FLOPSMITH_RESIDUAL_INSTANCE(double)
FLOPSMITH_RESIDUAL_INSTANCE(Counted)

} // namespace flopsmith::reference
