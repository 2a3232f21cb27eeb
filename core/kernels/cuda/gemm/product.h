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

/// A row-major matrix on the device: first element, row stride, element type.
struct Operand
{
    const void* first = nullptr;
    std::int64_t stride = 0;
    Element element = Element::float32;
};

struct Destination
{
    void* first = nullptr;
    std::int64_t stride = 0;
    Element element = Element::float32;

    /// NOLINTNEXTLINE(google-explicit-constructor): what was written can be read
    operator Operand() const { return {first, stride, element}; }
};

/// The matrix whose first element is `elements` after that of `rows`.
Operand shifted(const Operand& rows, std::int64_t elements);
Destination shifted(const Destination& rows, std::int64_t elements);

inline Operand operandAt(const float* first, std::int64_t stride)
{
    return {first, stride, Element::float32};
}
inline Destination destinationAt(float* first, std::int64_t stride)
{
    return {first, stride, Element::float32};
}

/// rows×inner times inner×columns.
struct ProductSize
{
    std::int64_t rows = 0;
    std::int64_t inner = 0;
    std::int64_t columns = 0;
};

/// A strided batch: strides, in elements, from one product's matrices to the next one's.
struct Batch
{
    std::int64_t count = 1;
    std::int64_t a = 0;
    std::int64_t b = 0;
    std::int64_t c = 0;
};

/// c = scale·a·b or c += scale·a·b, enqueued. A transposed `a` is stored [inner, rows], a
/// transposed `b` [columns, inner]. Both have the same element type. float32 operands are
/// multiplied in float32 or tf32, also where the device's precision is bfloat16: round them first
/// (RoundedRows). A size of 0 writes zeros, or adds nothing.
void multiply(const Device& device,
              const ProductSize& size,
              const Operand& a,
              Stored aStored,
              const Operand& b,
              Stored bStored,
              const Destination& c,
              Into into = Into::overwrite,
              const Batch& batch = {},
              float scale = 1.0F);

/// The matrices of a batch at addresses that the device's memory holds, of one element type.
struct MatricesAt
{
    const void* const* first = nullptr;
    std::int64_t stride = 0;
    Element element = Element::float32;
    Stored stored = Stored::straight;
};

/// As multiply() for `count` products; c is float32 and nowhere twice. Inner sizes are not 0.
void multiplyAt(const Device& device,
                const ProductSize& size,
                const MatricesAt& a,
                const MatricesAt& b,
                const MatricesAt& c,
                std::int64_t count,
                Into into = Into::overwrite,
                float scale = 1.0F);

/// a·b without transposition.
inline void multiply(const Device& device,
                     const ProductSize& size,
                     const Operand& a,
                     const Operand& b,
                     const Destination& c,
                     Into into = Into::overwrite)
{
    multiply(device, size, a, Stored::straight, b, Stored::straight, c, into);
}

/// Converts a matrix to the operand type of the device's precision: a rounded copy for bfloat16,
/// otherwise the matrix itself, at no cost.
class RoundedRows
{
public:
    RoundedRows() = default;
    RoundedRows(const Device& device, std::size_t elements);

    /// The first rows·columns elements from `from`, rounded if necessary (enqueued).
    Operand of(const float* from, std::int64_t rows, std::int64_t columns);

private:
    const Device* m_device = nullptr;
    DeviceBuffer<__nv_bfloat16> m_rounded; ///< empty unless bfloat16
};

/// Memory for operands of products, with the device's operandElement().
class OperandBuffer
{
public:
    OperandBuffer() = default;
    OperandBuffer(const Device& device, std::size_t elements);

    /// As rows of `columns` values.
    Destination rows(std::int64_t columns) const { return {m_memory.data(), columns, m_element}; }
    Element element() const { return m_element; }
    std::size_t size() const { return m_memory.size() / bytesOf(m_element); }

private:
    Element m_element = Element::float32;
    DeviceBuffer<std::byte> m_memory;
};

/// Rounds `count` values to the nearest bfloat16, enqueued.
void roundToBfloat16(const Device& device,
                     const float* from,
                     __nv_bfloat16* to,
                     std::int64_t count);

} // namespace flopsmith::cuda
