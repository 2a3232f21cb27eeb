// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"

#include <cuda_bf16.h>

#include <cstdint>

namespace flopsmith::cuda {

/// Whether an operand is stored as it is multiplied, or transposed.
enum class Stored { straight, transposed };

enum class Into { overwrite, accumulate };

enum class Element { float32, bfloat16 };

/// Element type of operands: bfloat16 in that precision, else float32.
Element operandElement(const Device& device);
std::size_t bytesOf(Element element);

/// A row-major matrix on the device, or those of a batch. Only a product's result is written.
struct Operand
{
    const void* first = nullptr; ///< in multiplyAt() the addresses of all, on the device
    std::int64_t stride = 0; ///< from row to row
    Element element = Element::float32;
    Stored stored = Stored::straight;
    std::int64_t step = 0; ///< elements to the next matrix of the batch

    Operand transposed() const
    {
        Operand other = *this;
        other.stored = stored == Stored::straight ? Stored::transposed : Stored::straight;
        return other;
    }
};

inline Operand operandAt(const float* first, std::int64_t stride)
{
    return {first, stride};
}

/// The matrix whose first element is `elements` after that of `rows`.
Operand shifted(const Operand& rows, std::int64_t elements);

/// rows×inner times inner×columns.
struct ProductSize
{
    std::int64_t rows = 0;
    std::int64_t inner = 0;
    std::int64_t columns = 0;
};

struct ProductWay
{
    std::int64_t count = 1; ///< products of a batch
    Into into = Into::overwrite;
    float scale = 1.0F;
};

/// c = scale·a·b or c += scale·a·b, enqueued. A transposed `a` is stored [inner, rows], a
/// transposed `b` [columns, inner]. Both have the same element type. float32 operands are
/// multiplied in float32 or tf32, also where the device's precision is bfloat16: round them first. A
/// size of 0 writes zeros, or adds nothing.
void multiply(const Device& device,
              const ProductSize& size,
              const Operand& a,
              const Operand& b,
              const Operand& c,
              const ProductWay& way = {});

/// The same of matrices at addresses that the device's memory holds; c is float32 and nowhere twice,
/// the inner size not 0.
void multiplyAt(const Device& device,
                const ProductSize& size,
                const Operand& a,
                const Operand& b,
                const Operand& c,
                const ProductWay& way);

} // namespace flopsmith::cuda
