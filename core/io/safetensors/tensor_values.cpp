// SPDX-License-Identifier: MIT
#include "core/io/safetensors/tensor_values.h"

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/io/safetensors/half_floats.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace flopsmith {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are stored little-endian");

// A byte that is not 0 is true.
struct StoredBool
{
    std::uint8_t byte;
};

template <class Stored>
Stored storedNumber(Stored stored)
{
    return stored;
}

float storedNumber(Bfloat16 stored)
{
    return floatOf(stored);
}

float storedNumber(Float16 stored)
{
    return floatOf(stored);
}

std::uint8_t storedNumber(StoredBool stored)
{
    return stored.byte == 0 ? 0 : 1;
}

// Nothing if T does not hold the number.
template <class T, class Number>
std::optional<T> convertedTo(Number number)
{
    if constexpr (std::is_same_v<T, Number>) {
        return number;
    } else if constexpr (std::is_floating_point_v<T>) {
        const auto nearest = static_cast<T>(number);
        const bool overflows =
            std::isfinite(static_cast<double>(number)) && !std::isfinite(nearest);
        return overflows ? std::nullopt : std::optional(nearest);
    } else if constexpr (std::is_floating_point_v<Number>) {
        const bool fits = number >= Number(-0x1p63) && number < Number(0x1p63);
        return fits && std::trunc(number) == number ? std::optional(static_cast<T>(number))
                                                    : std::nullopt;
    } else {
        return std::in_range<T>(number) ? std::optional(static_cast<T>(number)) : std::nullopt;
    }
}

template <class T>
std::string_view heldBy()
{
    if constexpr (std::is_same_v<T, float>) {
        return "a float";
    } else if constexpr (std::is_same_v<T, double>) {
        return "a double";
    } else {
        return "a whole number of 64 bits";
    }
}

template <class Stored, class T>
Status readStored(std::span<const std::byte> bytes, std::span<T> values, std::uint64_t first)
{
    FLOPSMITH_CHECK(bytes.size() == values.size() * sizeof(Stored));
    for (std::size_t i = 0; i < values.size(); ++i) {
        Stored stored{};
        std::memcpy(&stored, &bytes[i * sizeof(Stored)], sizeof(Stored)); // not aligned
        const auto number = storedNumber(stored);
        const std::optional<T> value = convertedTo<T>(number);
        if (!value) {
            return Error{"element " + std::to_string(first + i) + " is "
                         + numberText(static_cast<double>(number)) + ", which "
                         + std::string(heldBy<T>()) + " does not hold"};
        }
        values[i] = *value;
    }
    return Done{};
}

} // namespace

template <class T>
Status readTensorValues(TensorType type,
                        std::span<const std::byte> bytes,
                        std::span<T> values,
                        std::uint64_t first)
{
    switch (type) {
    case TensorType::f64: return readStored<double>(bytes, values, first);
    case TensorType::f32: return readStored<float>(bytes, values, first);
    case TensorType::f16: return readStored<Float16>(bytes, values, first);
    case TensorType::bf16: return readStored<Bfloat16>(bytes, values, first);
    case TensorType::i64: return readStored<std::int64_t>(bytes, values, first);
    case TensorType::i32: return readStored<std::int32_t>(bytes, values, first);
    case TensorType::i16: return readStored<std::int16_t>(bytes, values, first);
    case TensorType::i8: return readStored<std::int8_t>(bytes, values, first);
    case TensorType::u64: return readStored<std::uint64_t>(bytes, values, first);
    case TensorType::u32: return readStored<std::uint32_t>(bytes, values, first);
    case TensorType::u16: return readStored<std::uint16_t>(bytes, values, first);
    case TensorType::u8: return readStored<std::uint8_t>(bytes, values, first);
    case TensorType::boolean: return readStored<StoredBool>(bytes, values, first);
    }
    return Error{"its type is not read"};
}

template Status readTensorValues(TensorType,
                                 std::span<const std::byte>,
                                 std::span<float>,
                                 std::uint64_t);
template Status readTensorValues(TensorType,
                                 std::span<const std::byte>,
                                 std::span<double>,
                                 std::uint64_t);
template Status readTensorValues(TensorType,
                                 std::span<const std::byte>,
                                 std::span<std::int64_t>,
                                 std::uint64_t);

} // namespace flopsmith
