// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/op_count.h"

#include <cmath>
#include <cstddef>
#include <type_traits>

namespace flopsmith::reference {

/// The operations that a run executed. A dot product of n terms counts as n multiplications and n −
/// 1 additions, like any other operations.
struct Executed
{
    Count mul = 0;
    Count add = 0; ///< additions and subtractions; a change of sign and |x| are free
    Count div = 0;
    Count sqrt = 0;
    Count exp = 0; ///< one per exp, log, tanh, erf
    Count cmp = 0; ///< executed maxima, and nominal comparisons of selections
    Count fft = 0; ///< nominal
    Count move = 0; ///< elements read or written by index

    bool operator==(const Executed&) const = default;
};

/// The operations that a run with this cost must execute.
Executed executionOf(const OpCount<Count>& count);

/// Within its lifetime, operations on Counted in this thread are added to `executed`. Scopes nest;
/// only the innermost counts.
class CountingScope
{
public:
    explicit CountingScope(Executed& executed)
        : m_outer(current())
    {
        current() = &executed;
    }

    ~CountingScope() { current() = m_outer; }
    CountingScope(const CountingScope&) = delete;
    CountingScope& operator=(const CountingScope&) = delete;

    /// Null outside every scope.
    static Executed*& current()
    {
        thread_local Executed* executed = nullptr;
        return executed;
    }

private:
    Executed* m_outer;
};

/// Suspends counting, for a backward pass that recomputes activations of the forward pass.
class Uncounted
{
public:
    Uncounted()
        : m_outer(CountingScope::current())
    {
        CountingScope::current() = nullptr;
    }

    ~Uncounted() { CountingScope::current() = m_outer; }
    Uncounted(const Uncounted&) = delete;
    Uncounted& operator=(const Uncounted&) = delete;

private:
    Executed* m_outer;
};

/// A double that counts the operations on it.
class Counted
{
public:
    Counted() = default;
    explicit Counted(double value)
        : m_value(value)
    {}

    double value() const { return m_value; }

    Counted& operator+=(Counted b) { return *this = *this + b; }
    Counted& operator-=(Counted b) { return *this = *this - b; }
    Counted& operator*=(Counted b) { return *this = *this * b; }

    friend Counted operator-(Counted a) { return Counted(-a.m_value); }
    friend Counted abs(Counted a) { return Counted(std::abs(a.m_value)); }

    friend Counted operator+(Counted a, Counted b)
    {
        note(&Executed::add, 1);
        return Counted(a.m_value + b.m_value);
    }

    friend Counted operator-(Counted a, Counted b)
    {
        note(&Executed::add, 1);
        return Counted(a.m_value - b.m_value);
    }

    friend Counted operator*(Counted a, Counted b)
    {
        note(&Executed::mul, 1);
        return Counted(a.m_value * b.m_value);
    }

    friend Counted operator/(Counted a, Counted b)
    {
        note(&Executed::div, 1);
        return Counted(a.m_value / b.m_value);
    }

    friend bool operator<(Counted a, Counted b)
    {
        note(&Executed::cmp, 1);
        return a.m_value < b.m_value;
    }

    friend Counted sqrt(Counted a)
    {
        note(&Executed::sqrt, 1);
        return Counted(std::sqrt(a.m_value));
    }

    friend Counted exp(Counted a)
    {
        note(&Executed::exp, 1);
        return Counted(std::exp(a.m_value));
    }

    friend Counted log(Counted a)
    {
        note(&Executed::exp, 1);
        return Counted(std::log(a.m_value));
    }

    friend Counted tanh(Counted a)
    {
        note(&Executed::exp, 1);
        return Counted(std::tanh(a.m_value));
    }

    friend Counted erf(Counted a)
    {
        note(&Executed::exp, 1);
        return Counted(std::erf(a.m_value));
    }

    /// Adds to a class of the innermost scope, if there is one.
    static void note(Count Executed::*which, const Count& times)
    {
        if (Executed* executed = CountingScope::current()) {
            executed->*which += times;
        }
    }

private:
    double m_value = 0;
};

/// The plain value, for decisions whose operations are counted nominally.
inline double valueOf(float x)
{
    return static_cast<double>(x);
}

inline double valueOf(double x)
{
    return x;
}

inline double valueOf(Counted x)
{
    return x.value();
}

/// Elements read or written by index.
template <class S>
void noteMoves(std::size_t elements)
{
    if constexpr (std::is_same_v<S, Counted>) {
        Counted::note(&Executed::move, static_cast<Count>(elements));
    }
}

/// Choosing the largest of some candidates: nominally one comparison for each.
template <class S>
void noteSelection(std::size_t candidates)
{
    if constexpr (std::is_same_v<S, Counted>) {
        Counted::note(&Executed::cmp, static_cast<Count>(candidates));
    }
}

/// One real FFT, forward or inverse: nominal.
template <class S>
void noteTransform(int length)
{
    if constexpr (std::is_same_v<S, Counted>) {
        Counted::note(&Executed::fft, nominalRealFft(length));
    }
}

template <class S>
void noteComplexTransform(int length)
{
    if constexpr (std::is_same_v<S, Counted>) {
        Counted::note(&Executed::fft, nominalComplexFft(length));
    }
}

} // namespace flopsmith::reference
