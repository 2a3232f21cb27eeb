// SPDX-License-Identifier: MIT
#include "core/io/safetensors/tensor_elements.h"

#include "core/base/text.h"
#include "core/io/safetensors/half_floats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace flopsmith {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are stored little-endian");

template <class Stored>
void appendBytes(std::string& bytes, std::span<const Stored> stored)
{
    const auto raw = std::as_bytes(stored);
    bytes.append(reinterpret_cast<const char*>(raw.data()), raw.size()); // NOLINT: text is bytes
}

template <class T>
Error notHeld(std::uint64_t place, T value, TensorType type)
{
    return {"element " + std::to_string(place) + " is " + numberText(static_cast<double>(value))
            + ", which " + std::string(nameOf(type)) + " does not hold"};
}

float stored32(float /*kind*/, double value)
{
    return static_cast<float>(value);
}

Bfloat16 stored32(Bfloat16 /*kind*/, double value)
{
    return roundedToBfloat16(value);
}

double exactly(float stored)
{
    return static_cast<double>(stored);
}

double exactly(Bfloat16 stored)
{
    return static_cast<double>(floatOf(stored));
}

// As float or Bfloat16, which have the same exponents.
template <class Stored, class T>
Status appendRounded(std::string& bytes,
                     std::span<const T> values,
                     TensorType type,
                     std::uint64_t first,
                     double& rounding)
{
    constexpr double kSmallestNormal = std::numeric_limits<float>::min();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = static_cast<double>(values[i]);
        const Stored stored = stored32(Stored{}, value);
        if (std::isfinite(value)) {
            const double error = std::abs(exactly(stored) - value);
            if (!std::isfinite(error)) {
                return notHeld(first + i, values[i], type);
            }
            rounding = std::max(rounding, error / std::max(std::abs(value), kSmallestNormal));
        }
        appendBytes(bytes, std::span<const Stored>(&stored, 1));
    }
    return Done{};
}

// Without rounding; whole numbers must be in the range of the stored type.
template <class Stored, class T>
Status appendExact(std::string& bytes,
                   std::span<const T> values,
                   TensorType type,
                   std::uint64_t first)
{
    if constexpr (std::is_same_v<Stored, T>) {
        appendBytes(bytes, values);
        return Done{};
    } else {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if constexpr (std::is_integral_v<T>) {
                if (!std::in_range<Stored>(values[i])) {
                    return notHeld(first + i, values[i], type);
                }
            }
            const auto stored = static_cast<Stored>(values[i]);
            appendBytes(bytes, std::span<const Stored>(&stored, 1));
        }
        return Done{};
    }
}

} // namespace

template <class T>
Status appendElements(std::string& bytes,
                      std::span<const T> values,
                      TensorType type,
                      std::uint64_t first,
                      double& rounding)
{
    if constexpr (std::is_integral_v<T>) {
        if (type == TensorType::i64) {
            return appendExact<std::int64_t>(bytes, values, type, first);
        }
        if (type == TensorType::i32) {
            return appendExact<std::int32_t>(bytes, values, type, first);
        }
        return Error{"whole numbers are stored as I64 or I32, not as " + std::string(nameOf(type))};
    } else {
        if (type == TensorType::f64) {
            return appendExact<double>(bytes, values, type, first);
        }
        if (type == TensorType::f32 && std::is_same_v<T, float>) {
            return appendExact<T>(bytes, values, type, first);
        }
        if (type == TensorType::f32) {
            return appendRounded<float>(bytes, values, type, first, rounding);
        }
        if (type == TensorType::bf16) {
            return appendRounded<Bfloat16>(bytes, values, type, first, rounding);
        }
        return Error{"real numbers are stored as F64, F32 or BF16, not as "
                     + std::string(nameOf(type))};
    }
}

template Status appendElements(std::string&,
                               std::span<const float>,
                               TensorType,
                               std::uint64_t,
                               double&);
template Status appendElements(std::string&,
                               std::span<const double>,
                               TensorType,
                               std::uint64_t,
                               double&);
template Status appendElements(std::string&,
                               std::span<const std::int64_t>,
                               TensorType,
                               std::uint64_t,
                               double&);
template Status appendElements(std::string&,
                               std::span<const std::int32_t>,
                               TensorType,
                               std::uint64_t,
                               double&);

} // namespace flopsmith
