// SPDX-License-Identifier: MIT
#include "core/io/safetensors/tensor_type.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

struct TensorTypeRow
{
    TensorType type;
    std::string_view name;
    std::uint64_t bytes;
};

constexpr std::array<TensorTypeRow, 13> kTensorTypes{{
    {TensorType::f64, "F64", 8},
    {TensorType::f32, "F32", 4},
    {TensorType::f16, "F16", 2},
    {TensorType::bf16, "BF16", 2},
    {TensorType::i64, "I64", 8},
    {TensorType::i32, "I32", 4},
    {TensorType::i16, "I16", 2},
    {TensorType::i8, "I8", 1},
    {TensorType::u64, "U64", 8},
    {TensorType::u32, "U32", 4},
    {TensorType::u16, "U16", 2},
    {TensorType::u8, "U8", 1},
    {TensorType::boolean, "BOOL", 1},
}};

// Rows in the order of the enumeration.
const TensorTypeRow& tensorTypeRow(TensorType type)
{
    return kTensorTypes.at(static_cast<std::size_t>(type));
}

} // namespace

std::uint64_t bytesPerElement(TensorType type)
{
    return tensorTypeRow(type).bytes;
}

bool isFloatingPoint(TensorType type)
{
    return type == TensorType::f64 || type == TensorType::f32 || type == TensorType::f16
        || type == TensorType::bf16;
}

std::string_view nameOf(TensorType type)
{
    return tensorTypeRow(type).name;
}

std::optional<TensorType> tensorTypeNamed(std::string_view name)
{
    const auto* const found = std::ranges::find(kTensorTypes, name, &TensorTypeRow::name);
    return found == kTensorTypes.end() ? std::nullopt : std::optional(found->type);
}

std::string tensorTypeNames()
{
    std::string names;
    for (const TensorTypeRow& row : kTensorTypes) {
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    return names;
}

} // namespace flopsmith
