// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace flopsmith {

class Json;
class JsonItem;
class JsonMember;

// Containers whose elements become an array's elements, or an object's members if they are keys and
// values.
template <class Range>
concept JsonRange = requires(const Range& range)
{
    typename Range::value_type;
    range.begin();
    range.end();
}
&&!std::is_convertible_v<const Range&, std::string_view>;

/// A JSON value: null, true or false, a number, a text, an array, or an object that keeps the order
/// of its keys. Integers are exact from -2^63 up to 2^64 - 1. Wraps the library's value
/// (json_library.h); json_text.h reads and writes it.
/// A list in braces is an object if each of its elements is a pair that begins with a text,
/// {{"heads", 12}, {"bias", true}}, and otherwise an array.
/// Reading a value as another type stops the program: check is_…() and contains() first.
class Json
{
public:
    Json() noexcept;
    Json(const Json& other);
    Json(Json&& other) noexcept;
    Json& operator=(Json other) noexcept; ///< by value: `other` may be a part of this value
    ~Json();

    // Not explicit, so that numbers and texts can be written directly in lists and comparisons.
    // NOLINTBEGIN(google-explicit-constructor)
    Json(std::nullptr_t null) noexcept;
    Json(bool value) noexcept;
    Json(int value) noexcept;
    Json(long value) noexcept;
    Json(long long value) noexcept;
    Json(unsigned value) noexcept;
    Json(unsigned long value) noexcept;
    Json(unsigned long long value) noexcept;
    Json(double value) noexcept;
    Json(const char* text);
    Json(std::string text);
    Json(std::string_view text);
    Json(const void* pointer) = delete; // it would be a truth value
    Json(std::initializer_list<JsonItem> items);

    template <JsonRange Range>
    Json(const Range& range)
    {
        if constexpr (requires { typename Range::mapped_type; }) {
            *this = object();
            for (const auto& [key, value] : range) {
                append(key, value);
            }
        } else {
            *this = array();
            for (const auto& element : range) {
                push_back(element);
            }
        }
    }
    // NOLINTEND(google-explicit-constructor)

    static Json array(std::initializer_list<JsonItem> items = {});
    static Json object(std::initializer_list<JsonItem> pairs = {});
    static Json discarded(); ///< the result of reading text that is not JSON; equals nothing

    bool is_null() const { return kind() == Kind::null; }
    bool is_boolean() const { return kind() == Kind::boolean; }
    bool is_number() const { return is_number_integer() || is_number_float(); }
    bool is_number_integer() const { return kind() == Kind::integer || is_number_unsigned(); }
    bool is_number_unsigned() const { return kind() == Kind::unsignedInteger; } ///< as parsed
    bool is_number_float() const { return kind() == Kind::real; }
    bool is_string() const { return kind() == Kind::text; }
    bool is_array() const { return kind() == Kind::array; }
    bool is_object() const { return kind() == Kind::object; }
    bool is_structured() const { return is_array() || is_object(); }
    bool is_discarded() const { return kind() == Kind::discarded; }

    /// "null", "boolean", "number", "string", "array", "object" or "discarded", for messages.
    const char* type_name() const;

    /// As bool, a number of any kind, std::string or Json itself.
    template <class T>
    T get() const;

    const std::string& text() const; ///< of a string, without a copy

    /// Elements of an array or members of an object; null has 0, other values 1.
    std::size_t size() const;
    bool empty() const { return size() == 0; }

    /// The elements of an array; no other value has any.
    const Json* begin() const;
    const Json* end() const;
    Json* begin();
    Json* end();

    const Json& operator[](std::size_t index) const { return at(index); }
    Json& operator[](std::size_t index) { return at(index); }
    const Json& at(std::size_t index) const;
    Json& at(std::size_t index);
    const Json& front() const { return at(0); }
    const Json& back() const { return at(size() - 1); }
    Json& back() { return at(size() - 1); }
    void push_back(Json element); ///< null becomes an array

    /// The members of an object in their order; no other value has any.
    const std::vector<JsonMember>& items() const;
    std::vector<JsonMember>& items(); ///< of an object

    bool contains(std::string_view key) const { return find(key) != nullptr; }
    const Json* find(std::string_view key) const; ///< null if there is no such member
    Json* find(std::string_view key);
    const Json& operator[](std::string_view key) const { return at(key); }
    Json& operator[](std::string_view key); ///< makes it; null becomes an object
    const Json& at(std::string_view key) const;
    Json& at(std::string_view key);

    /// The member's value, or `fallback` if there is no such member.
    template <class T>
    T value(std::string_view key, const T& fallback) const
    {
        const Json* found = find(key);
        return found == nullptr ? fallback : found->get<T>();
    }

    /// Adds a member whose key is known to be new; operator[] searches for it among all others.
    void append(std::string key, Json value);

    void update(const Json& other); ///< writes the members of another object into this one
    void erase(std::string_view key);
    void erase(std::size_t index);

    /// Numbers are equal by value, whatever their kind; objects also have the same order.
    friend bool operator==(const Json& a, const Json& b);

    /// In one line, for the messages of tests.
    friend std::ostream& operator<<(std::ostream& stream, const Json& json);

private:
    enum class Kind : std::uint8_t // in the order of Value
    {
        null,
        boolean,
        integer,
        unsignedInteger,
        real,
        text,
        array,
        object,
        discarded
    };
    struct Discarded
    {};
    using Elements = std::vector<Json>;
    using Members = std::vector<JsonMember>;
    using Value = std::variant<std::monostate,
                               bool,
                               std::int64_t,
                               std::uint64_t,
                               double,
                               std::string,
                               Elements,
                               Members,
                               Discarded>;

    Kind kind() const { return static_cast<Kind>(m_value.index()); }

    template <class T>
    T number() const;

    void takeNested(std::vector<Json>& taken);

    Value m_value;
};

/// A member of an object.
class JsonMember
{
public:
    JsonMember(std::string key, Json value)
        : m_key(std::move(key))
        , m_value(std::move(value))
    {}

    const std::string& key() const { return m_key; }
    const Json& value() const { return m_value; }
    Json& value() { return m_value; }

    bool operator==(const JsonMember&) const = default;

private:
    std::string m_key;
    Json m_value;
};

/// An element of a list in braces. The list itself is constant; values move out of this.
class JsonItem
{
public:
    template <class T>
    requires std::is_convertible_v<T, Json>
    // NOLINTNEXTLINE(google-explicit-constructor)
    JsonItem(T&& value)
        : m_value(std::forward<T>(value))
    {}

    // NOLINTNEXTLINE(google-explicit-constructor)
    JsonItem(std::initializer_list<JsonItem> items)
        : m_value(items)
    {}

private:
    friend class Json;

    mutable Json m_value;
};

template <>
bool Json::get() const;
template <>
int Json::get() const;
template <>
std::int64_t Json::get() const;
template <>
std::uint64_t Json::get() const;
template <>
double Json::get() const;
template <>
std::string Json::get() const;
template <>
Json Json::get() const;

} // namespace flopsmith
