// SPDX-License-Identifier: MIT
#include "core/io/safetensors/header_events.h"

#include "core/base/printable.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace flopsmith {
namespace {

constexpr std::string_view kTypeKey = "dtype";
constexpr std::string_view kShapeKey = "shape";
constexpr std::string_view kOffsetsKey = "data_offsets";

std::string quotedName(const std::string& name)
{
    return "\"" + excerpt(name) + "\"";
}

// Nothing for sizes that a shape does not hold.
std::optional<TensorShape> shapeOf(const std::vector<std::uint64_t>& sizes)
{
    constexpr auto kLargestSize = std::numeric_limits<std::int64_t>::max();
    TensorShape shape;
    for (const std::uint64_t size : sizes) {
        if (size > static_cast<std::uint64_t>(kLargestSize)) {
            return std::nullopt;
        }
        shape.push_back(static_cast<std::int64_t>(size));
    }
    return shape;
}

} // namespace

bool HeaderEvents::integer(std::int64_t value)
{
    return refuseValue(std::to_string(value)); // negative
}

bool HeaderEvents::unsignedInteger(std::uint64_t value)
{
    if (m_place != Place::numbers) {
        return refuseValue(std::to_string(value));
    }
    Numbers& numbers = m_field == kShapeKey ? *m_shape : *m_offsets;
    if (numbers.size() >= kMaxTensorDimensions) {
        return refuse(m_field + " has more than " + std::to_string(kMaxTensorDimensions)
                      + " numbers");
    }
    numbers.push_back(value);
    return true;
}

bool HeaderEvents::real(double /*value*/, const std::string& digits)
{
    return refuseValue(excerpt(digits)); // with a fraction, or beyond 64 bits
}

bool HeaderEvents::text(std::string& value)
{
    if (m_place == Place::metadata) {
        m_header.metadata[m_key] = std::move(value);
        return true;
    }
    if (m_place != Place::tensor || m_field != kTypeKey) {
        return refuseValue("a string");
    }
    m_type = tensorTypeNamed(value);
    return m_type.has_value()
        || refuse("dtype " + quotedName(value) + " is unknown; known are " + tensorTypeNames());
}

bool HeaderEvents::startObject()
{
    if (m_place == Place::outside) {
        m_place = Place::names;
        return true;
    }
    if (m_place != Place::names) {
        return refuseValue("an object");
    }
    m_place = m_name == kMetadataKey ? Place::metadata : Place::tensor;
    m_type.reset();
    m_shape.reset();
    m_offsets.reset();
    return true;
}

bool HeaderEvents::key(std::string& name)
{
    if (m_place == Place::names) {
        return addName(name);
    }
    if (m_place == Place::tensor) {
        return addField(name);
    }
    m_key = std::move(name);
    return m_header.metadata.emplace(m_key, std::string()).second
        || refuse("the key " + quotedName(m_key) + " occurs twice");
}

bool HeaderEvents::addName(const std::string& name)
{
    m_name = name;
    if (!m_names.insert(name).second) {
        return refuse("the name occurs twice");
    }
    return name == kMetadataKey || m_header.tensors.size() < kMaxSafetensors
        || refuse("more than " + std::to_string(kMaxSafetensors) + " tensors");
}

bool HeaderEvents::addField(const std::string& name)
{
    m_field = name;
    if (name != kTypeKey && name != kShapeKey && name != kOffsetsKey) {
        return refuse("the key " + quotedName(name)
                      + " is unknown; a tensor has dtype, shape and data_offsets");
    }
    const bool twice = (name == kTypeKey && m_type) || (name == kShapeKey && m_shape)
        || (name == kOffsetsKey && m_offsets);
    return !twice || refuse("the key " + quotedName(name) + " occurs twice");
}

bool HeaderEvents::endObject()
{
    if (m_place == Place::tensor && !finishTensor()) {
        return false;
    }
    m_place = m_place == Place::names ? Place::outside : Place::names;
    return true;
}

bool HeaderEvents::startArray()
{
    if (m_place != Place::tensor || m_field == kTypeKey) {
        return refuseValue("a list");
    }
    (m_field == kShapeKey ? m_shape : m_offsets).emplace();
    m_place = Place::numbers;
    return true;
}

bool HeaderEvents::endArray()
{
    m_place = Place::tensor;
    return true;
}

void HeaderEvents::mistake(std::size_t byte, const std::string& reason)
{
    m_refusal =
        "byte " + std::to_string(byte) + " of the header: not valid JSON: " + printable(reason);
}

bool HeaderEvents::finishTensor()
{
    if (!m_type || !m_shape || !m_offsets) {
        const std::string_view missing = !m_type ? kTypeKey : !m_shape ? kShapeKey : kOffsetsKey;
        return refuse(std::string(missing) + " is missing");
    }
    if (m_offsets->size() != 2 || m_offsets->front() > m_offsets->back()) {
        return refuse("data_offsets must be the begin and the end of its bytes");
    }
    const std::optional<TensorShape> shape = shapeOf(*m_shape);
    const auto elements = shape ? elementsOf(*shape, bytesPerElement(*m_type)) : std::nullopt;
    if (!elements) {
        return refuse("a tensor of this shape has more bytes than 64 bits can count");
    }
    const std::uint64_t needed = *elements * bytesPerElement(*m_type);
    const std::uint64_t bytes = m_offsets->back() - m_offsets->front();
    if (needed != bytes) {
        return refuse("shape " + shapeText(*shape) + " of " + std::string(nameOf(*m_type))
                      + " needs " + std::to_string(needed) + " bytes, data_offsets hold "
                      + std::to_string(bytes));
    }
    m_header.tensors.push_back({.name = m_name,
                                .type = *m_type,
                                .shape = *shape,
                                .begin = m_offsets->front(),
                                .end = m_offsets->back()});
    return true;
}

bool HeaderEvents::refuse(const std::string& why)
{
    m_refusal = place() + why;
    return false;
}

bool HeaderEvents::refuseValue(const std::string& value)
{
    return refuse("expected " + expected() + ", not " + value);
}

std::string HeaderEvents::place() const
{
    if (m_place == Place::outside) {
        return "the header: ";
    }
    return m_name == kMetadataKey ? "__metadata__: " : "tensor " + quotedName(m_name) + ": ";
}

std::string HeaderEvents::expected() const
{
    switch (m_place) {
    case Place::outside: return "an object";
    case Place::names:
        return m_name == kMetadataKey ? "an object of strings"
                                      : "an object of dtype, shape and data_offsets";
    case Place::metadata: return "a string under " + quotedName(m_key);
    case Place::tensor:
        return m_field == kTypeKey ? "a string under dtype" : "a list of numbers under " + m_field;
    case Place::numbers: return "whole numbers below 2^64 in " + m_field;
    }
    return {};
}

} // namespace flopsmith
