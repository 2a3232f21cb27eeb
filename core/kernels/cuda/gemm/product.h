// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"

#include <cuda_bf16.h>

#include <cstdint>

namespace flopsmith::cuda {

/// Whether a matrix of a product is stored as it is used, or with rows and columns exchanged.
enum class Stored { straight, transposed };

enum class Into { overwrite, accumulate };

enum class Element { float32, bfloat16 };

/// What the operands of products are stored as: bfloat16 in that precision, else float32.
Element operandElement(const Device& device);
std::size_t bytesOf(Element element);

/// A row-major matrix on the device: its first element, what that is, the distance of its rows.
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

/// The matrix that begins `elements` behind where this one begins.
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

/// Equal products one behind the other: distances, in elements, from one product's matrices to the
/// next one's.
struct Batch
{
    std::int64_t count = 1;
    std::int64_t a = 0;
    std::int64_t b = 0;
    std::int64_t c = 0;
};

/// c = scale·a·b or c += scale·a·b in the device's precision, enqueued. `a` transposed is stored
/// [inner, rows], `b` transposed [columns, inner]. Both have the same element; products of float32
/// operands are exact to float32 or tf32 whatever the device's precision is, so that bfloat16 asks
/// for operands that were rounded (RoundedRows). A size of 0 writes zeros, or adds nothing.
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

/// a·b, both straight.
inline void multiply(const Device& device,
                     const ProductSize& size,
                     const Operand& a,
                     const Operand& b,
                     const Destination& c,
                     Into into = Into::overwrite)
{
    multiply(device, size, a, Stored::straight, b, Stored::straight, c, into);
}

/// A matrix as the device's precision wants it in products. Costs nothing unless that is bfloat16;
/// then it holds the rounded copy.
class RoundedRows
{
public:
    RoundedRows() = default;
    RoundedRows(const Device& device, std::size_t elements);

    /// The first rows·columns elements from `from`, rounded if need be (enqueued).
    Operand of(const float* from, std::int64_t rows, std::int64_t columns);

private:
    const Device* m_device = nullptr;
    DeviceBuffer<__nv_bfloat16> m_rounded; ///< empty unless bfloat16
};

/// Memory for values that only products read or write: of the device's operandElement().
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
