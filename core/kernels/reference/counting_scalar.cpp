// SPDX-License-Identifier: MIT
#include "core/kernels/reference/counting_scalar.h"

namespace flopsmith::reference {

Executed executionOf(const OpCount<Count>& count)
{
    return {.mul = count.mac + count.mul,
            .add = count.mac - count.dot + count.add,
            .div = count.div,
            .sqrt = count.sqrt,
            .exp = count.exp,
            .cmp = count.cmp,
            .fft = count.fft,
            .move = count.move};
}

} // namespace flopsmith::reference
