// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"

#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace flopsmith {

/// One sentence for the person at the screen: what, where, and what would be right.
struct Error
{
    std::string message;

    bool operator==(const Error&) const = default;
};

/// A value, or the sentence that says why there is none. For disagreements with the world
/// (files, devices, impossible specifications); mistakes of the program use FLOPSMITH_CHECK.
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

    /// Of a result with another value that this one can be made of: a pointer to a derived class.
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
