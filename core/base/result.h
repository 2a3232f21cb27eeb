// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"

#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace flopsmith {

/// One sentence for the person at the screen: what is wrong, where, and what would be right.
struct Error
{
    std::string message;

    bool operator==(const Error&) const = default;
};

/// A value, or an Error that says why there is none. For disagreements with the world (files,
/// devices, impossible specifications); bugs of the program use FLOPSMITH_CHECK.
template <class T>
class [[nodiscard]] Result
{
public:
    // Not explicit, so that a function can return a T or an Error as it is.
    // NOLINTNEXTLINE(google-explicit-constructor)
    Result(T value)
        : m_state(std::move(value))
    {}

    // NOLINTNEXTLINE(google-explicit-constructor)
    Result(Error error)
        : m_state(std::move(error))
    {}

    /// Converts a result whose value converts to T: a pointer to a derived class.
    template <class U>
    requires(!std::is_same_v<U, T> && std::is_convertible_v<U, T>)
        // NOLINTNEXTLINE(google-explicit-constructor)
        Result(Result<U> other)
        : m_state(other.ok() ? std::variant<T, Error>(T(std::move(other).value()))
                             : std::variant<T, Error>(other.error()))
    {}

    bool ok() const { return std::holds_alternative<T>(m_state); }
    explicit operator bool() const { return ok(); }

    /// Stops the program when there is no value: ask ok() first.
    const T& value() const&
    {
        FLOPSMITH_CHECK(ok());
        return std::get<T>(m_state);
    }

    T& value() &
    {
        FLOPSMITH_CHECK(ok());
        return std::get<T>(m_state);
    }

    T&& value() &&
    {
        FLOPSMITH_CHECK(ok());
        return std::get<T>(std::move(m_state));
    }

    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }

    /// Stops the program when there is a value.
    const Error& error() const
    {
        FLOPSMITH_CHECK(!ok());
        return std::get<Error>(m_state);
    }

private:
    std::variant<T, Error> m_state;
};

struct Done
{
    bool operator==(const Done&) const = default;
};

/// A Result of an action that returns nothing.
using Status = Result<Done>;

} // namespace flopsmith

#define FLOPSMITH_JOINED(a, b) a##b
#define FLOPSMITH_NUMBERED(name, number) FLOPSMITH_JOINED(name, number)
#define FLOPSMITH_TRY_AS(result, declaration, ...)                                                 \
    auto result = __VA_ARGS__;                                                                     \
    if (!result)                                                                                   \
        return result.error();                                                                     \
    declaration = std::move(result).value()
#define FLOPSMITH_RETURN_IF_ERROR_AS(result, ...)                                                  \
    do {                                                                                           \
        if (const auto& result = __VA_ARGS__; !result)                                             \
            return result.error();                                                                 \
    } while (false)

/// FLOPSMITH_TRY(const Model model, readModel(text)) declares the value of a Result, or returns its
/// error from the function around it. A type with a comma is written as auto.
#define FLOPSMITH_TRY(declaration, ...)                                                            \
    FLOPSMITH_TRY_AS(FLOPSMITH_NUMBERED(result, __COUNTER__), declaration, __VA_ARGS__)

/// Returns the error of a Result or Status, if it has one, from the function around it.
#define FLOPSMITH_RETURN_IF_ERROR(...)                                                             \
    FLOPSMITH_RETURN_IF_ERROR_AS(FLOPSMITH_NUMBERED(result, __COUNTER__), __VA_ARGS__)
