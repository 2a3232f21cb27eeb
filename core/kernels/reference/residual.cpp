// SPDX-License-Identifier: MIT
#include "core/base/check.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/layer.h"

namespace flopsmith::reference {

template <class S>
void addResidual(std::span<const S> x, std::span<const S> f, std::span<S> sum)
{
    FLOPSMITH_CHECK(x.size() == f.size() && x.size() == sum.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum[i] = x[i] + f[i];
    }
}

template void addResidual<float>(std::span<const float>, std::span<const float>, std::span<float>);
template void addResidual<double>(std::span<const double>,
                                  std::span<const double>,
                                  std::span<double>);
template void addResidual<Counted>(std::span<const Counted>,
                                   std::span<const Counted>,
                                   std::span<Counted>);

} // namespace flopsmith::reference
