// SPDX-License-Identifier: MIT
#include "core/json/json.h"

#include "core/base/check.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <ostream>

namespace flopsmith {
namespace {

bool isUnsigned(const Json& json)
{
    return json.is_number_unsigned();
}

// Of a number of either sign and one without.
bool areEqual(std::int64_t a, std::uint64_t b)
{
    return a >= 0 && static_cast<std::uint64_t>(a) == b;
}

bool areEqualNumbers(const Json& a, const Json& b)
{
    if (a.is_number_float() || b.is_number_float()) {
        return a.get<double>() == b.get<double>();
    }
    if (isUnsigned(a)) {
        return isUnsigned(b) ? a.get<std::uint64_t>() == b.get<std::uint64_t>()
                             : areEqual(b.get<std::int64_t>(), a.get<std::uint64_t>());
    }
    return isUnsigned(b) ? areEqual(a.get<std::int64_t>(), b.get<std::uint64_t>())
                         : a.get<std::int64_t>() == b.get<std::int64_t>();
}

} // namespace

Json::Json() noexcept = default;
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;

Json& Json::operator=(Json other) noexcept
{
    m_value.swap(other.m_value);
    return *this;
}

// Untrusted text may be nested so deeply that recursive destruction would overflow the stack, so
// inner values are taken out first.
Json::~Json()
{
    Elements inner;
    takeNested(inner);
    while (!inner.empty()) {
        Json last = std::move(inner.back());
        inner.pop_back();
        last.takeNested(inner);
    }
}

void Json::takeNested(std::vector<Json>& taken)
{
    const auto take = [&taken](Json& part) {
        if (part.is_structured() && !part.empty()) {
            taken.push_back(std::move(part));
            part.m_value = std::monostate();
        }
    };
    if (is_array()) {
        std::for_each(begin(), end(), take);
    } else if (is_object()) {
        for (JsonMember& member : items()) {
            take(member.value());
        }
    }
}

Json::Json(std::nullptr_t /*null*/) noexcept {}

Json::Json(bool value) noexcept
    : m_value(value)
{}

Json::Json(int value) noexcept
    : m_value(std::int64_t{value})
{}

Json::Json(long value) noexcept
    : m_value(std::int64_t{value})
{}

Json::Json(long long value) noexcept
    : m_value(std::int64_t{value})
{}

Json::Json(unsigned value) noexcept
    : m_value(std::uint64_t{value})
{}

Json::Json(unsigned long value) noexcept
    : m_value(std::uint64_t{value})
{}

Json::Json(unsigned long long value) noexcept
    : m_value(std::uint64_t{value})
{}

Json::Json(double value) noexcept
    : m_value(value)
{}

Json::Json(const char* text)
    : m_value(std::string(text))
{}

Json::Json(std::string text)
    : m_value(std::move(text))
{}

Json::Json(std::string_view text)
    : m_value(std::string(text))
{}

Json::Json(std::initializer_list<JsonItem> items)
{
    const bool arePairs = std::all_of(items.begin(), items.end(), [](const JsonItem& item) {
        return item.m_value.is_array() && item.m_value.size() == 2 && item.m_value[0].is_string();
    });
    *this = arePairs ? object(items) : array(items);
}

Json Json::array(std::initializer_list<JsonItem> items)
{
    Elements elements;
    elements.reserve(items.size());
    for (const JsonItem& item : items) {
        elements.push_back(std::move(item.m_value));
    }
    Json json;
    json.m_value = std::move(elements);
    return json;
}

Json Json::object(std::initializer_list<JsonItem> pairs)
{
    Json json;
    json.m_value = Members();
    for (const JsonItem& pair : pairs) {
        const Json& key = pair.m_value.front();
        if (!json.contains(key.text())) { // the first of equal keys counts
            json.append(key.text(), std::move(pair.m_value.back()));
        }
    }
    return json;
}

Json Json::discarded()
{
    Json json;
    json.m_value = Discarded();
    return json;
}

const char* Json::type_name() const
{
    constexpr std::array kNames{
        "null", "boolean", "number", "number", "number", "string", "array", "object", "discarded"};
    static_assert(kNames.size() == std::variant_size_v<Value>);
    return kNames.at(m_value.index());
}

template <class T>
T Json::number() const
{
    if (const auto* real = std::get_if<double>(&m_value)) {
        return static_cast<T>(*real);
    }
    if (const auto* whole = std::get_if<std::uint64_t>(&m_value)) {
        return static_cast<T>(*whole);
    }
    FLOPSMITH_CHECK(kind() == Kind::integer);
    return static_cast<T>(*std::get_if<std::int64_t>(&m_value));
}

template <>
bool Json::get() const
{
    FLOPSMITH_CHECK(is_boolean());
    return *std::get_if<bool>(&m_value);
}

template <>
int Json::get() const
{
    return number<int>();
}

template <>
std::int64_t Json::get() const
{
    return number<std::int64_t>();
}

template <>
std::uint64_t Json::get() const
{
    return number<std::uint64_t>();
}

template <>
double Json::get() const
{
    return number<double>();
}

template <>
std::string Json::get() const
{
    return text();
}

template <>
Json Json::get() const
{
    return *this;
}

const std::string& Json::text() const
{
    FLOPSMITH_CHECK(is_string());
    return *std::get_if<std::string>(&m_value);
}

std::size_t Json::size() const
{
    if (const auto* elements = std::get_if<Elements>(&m_value)) {
        return elements->size();
    }
    if (const auto* members = std::get_if<Members>(&m_value)) {
        return members->size();
    }
    return is_null() ? 0 : 1;
}

const Json* Json::begin() const
{
    const auto* elements = std::get_if<Elements>(&m_value);
    return elements == nullptr ? nullptr : elements->data();
}

const Json* Json::end() const
{
    return is_array() ? begin() + size() : nullptr;
}

Json* Json::begin()
{
    return const_cast<Json*>(std::as_const(*this).begin()); // NOLINT: the value is not constant
}

Json* Json::end()
{
    return const_cast<Json*>(std::as_const(*this).end()); // NOLINT: the value is not constant
}

const Json& Json::at(std::size_t index) const
{
    FLOPSMITH_CHECK(is_array() && index < size());
    return begin()[index];
}

Json& Json::at(std::size_t index)
{
    return const_cast<Json&>(std::as_const(*this).at(index)); // NOLINT: the value is not constant
}

void Json::push_back(Json element)
{
    if (is_null()) {
        m_value = Elements();
    }
    FLOPSMITH_CHECK(is_array());
    std::get_if<Elements>(&m_value)->push_back(std::move(element));
}

const std::vector<JsonMember>& Json::items() const
{
    static const Members kNone;
    const auto* members = std::get_if<Members>(&m_value);
    return members == nullptr ? kNone : *members;
}

std::vector<JsonMember>& Json::items()
{
    FLOPSMITH_CHECK(is_object());
    return *std::get_if<Members>(&m_value);
}

const Json* Json::find(std::string_view key) const
{
    const auto found = std::ranges::find(items(), key, &JsonMember::key);
    return found == items().end() ? nullptr : &found->value();
}

Json* Json::find(std::string_view key)
{
    return const_cast<Json*>(std::as_const(*this).find(key)); // NOLINT: the value is not constant
}

Json& Json::operator[](std::string_view key)
{
    if (Json* found = find(key)) {
        return *found;
    }
    append(std::string(key), Json());
    return items().back().value();
}

const Json& Json::at(std::string_view key) const
{
    const Json* found = find(key);
    FLOPSMITH_CHECK(found != nullptr);
    return *found;
}

Json& Json::at(std::string_view key)
{
    return const_cast<Json&>(std::as_const(*this).at(key)); // NOLINT: the value is not constant
}

void Json::append(std::string key, Json value)
{
    if (is_null()) {
        m_value = Members();
    }
    FLOPSMITH_CHECK(is_object());
    std::get_if<Members>(&m_value)->emplace_back(std::move(key), std::move(value));
}

void Json::update(const Json& other)
{
    FLOPSMITH_CHECK(other.is_object());
    if (is_null()) {
        m_value = Members();
    }
    for (const JsonMember& member : other.items()) {
        (*this)[member.key()] = member.value();
    }
}

void Json::erase(std::string_view key)
{
    std::erase_if(items(), [key](const JsonMember& member) { return member.key() == key; });
}

void Json::erase(std::size_t index)
{
    FLOPSMITH_CHECK(is_array() && index < size());
    auto& elements = *std::get_if<Elements>(&m_value);
    elements.erase(std::next(elements.begin(), static_cast<std::ptrdiff_t>(index)));
}

bool operator==(const Json& a, const Json& b)
{
    if (a.is_number() && b.is_number()) {
        return areEqualNumbers(a, b);
    }
    if (a.kind() != b.kind() || a.is_discarded()) {
        return false;
    }
    if (a.is_string()) {
        return a.text() == b.text();
    }
    if (a.is_boolean()) {
        return a.get<bool>() == b.get<bool>();
    }
    return std::equal(a.begin(), a.end(), b.begin(), b.end()) && a.items() == b.items();
}

std::ostream& operator<<(std::ostream& stream, const Json& json)
{
    return stream << jsonText(json);
}

} // namespace flopsmith
