// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"

namespace flopsmith {

/// Executed operations by class. A lens turns this vector into FLOPs. N is Count for exact
/// integers, or a symbolic type for formulas.
template <class N>
struct OpCount
{
    N mac{0}; ///< multiply-add pairs inside contractions
    N dot{0}; ///< dot products that the multiply-adds form; each saves one addition
    N mul{0}; ///< multiplications outside contractions
    N add{0}; ///< additions and subtractions outside contractions
    N div{0};
    N sqrt{0};
    N exp{0}; ///< one per exp, tanh, erf, sigmoid's exp, log, sin, cos
    N cmp{0}; ///< comparisons; for data-dependent selection nominally n per selection from n
    N fft{0}; ///< inside FFTs, nominal: 2.5 n log2 n per real transform of length n
    N move{0}; ///< elements moved by index; never a FLOP

    bool operator==(const OpCount&) const = default;

    /// Calls visit(own, other's) for each pair of members.
    template <class Visit>
    [[gnu::always_inline]] void forEachPair(const OpCount& other, Visit visit)
    {
        visit(mac, other.mac);
        visit(dot, other.dot);
        visit(mul, other.mul);
        visit(add, other.add);
        visit(div, other.div);
        visit(sqrt, other.sqrt);
        visit(exp, other.exp);
        visit(cmp, other.cmp);
        visit(fft, other.fft);
        visit(move, other.move);
    }

    OpCount& operator+=(const OpCount& other)
    {
        forEachPair(other, [](N& to, const N& from) { to += from; });
        return *this;
    }

    friend OpCount operator+(OpCount a, const OpCount& b) { return a += b; }

    friend OpCount operator*(const N& times, const OpCount& c)
    {
        return {.mac = times * c.mac,
                .dot = times * c.dot,
                .mul = times * c.mul,
                .add = times * c.add,
                .div = times * c.div,
                .sqrt = times * c.sqrt,
                .exp = times * c.exp,
                .cmp = times * c.cmp,
                .fft = times * c.fft,
                .move = times * c.move};
    }
};

/// Elements that an unfused operation moves through memory, each operand once. Bytes follow from
/// the precision (see Precision in core/model).
template <class N>
struct Traffic
{
    N weights{0}; ///< weight elements read, or written by an optimizer
    N vectors{0}; ///< the part of `weights` in norms, biases and routers, which stay unquantised
    N read{0}; ///< activation elements read
    N written{0}; ///< activation elements written
    N kvRead{0}; ///< cached keys and values read
    N kvWritten{0}; ///< keys and values appended to the cache
    N gradients{0}; ///< elements of weight gradients written, or read by an optimizer
    N states{0}; ///< elements of optimizer state read and written

    bool operator==(const Traffic&) const = default;

    /// Calls visit(own, other's) for each pair of members.
    template <class Visit>
    [[gnu::always_inline]] void forEachPair(const Traffic& other, Visit visit)
    {
        visit(weights, other.weights);
        visit(vectors, other.vectors);
        visit(read, other.read);
        visit(written, other.written);
        visit(kvRead, other.kvRead);
        visit(kvWritten, other.kvWritten);
        visit(gradients, other.gradients);
        visit(states, other.states);
    }

    Traffic& operator+=(const Traffic& other)
    {
        forEachPair(other, [](N& to, const N& from) { to += from; });
        return *this;
    }

    friend Traffic operator+(Traffic a, const Traffic& b) { return a += b; }

    friend Traffic operator*(const N& times, const Traffic& t)
    {
        return {.weights = times * t.weights,
                .vectors = times * t.vectors,
                .read = times * t.read,
                .written = times * t.written,
                .kvRead = times * t.kvRead,
                .kvWritten = times * t.kvWritten,
                .gradients = times * t.gradients,
                .states = times * t.states};
    }
};

/// Parameters of one operation. `fixed` ones are stored but not trained (index lists, bases,
/// random signs) and, like buffers in published counts, are not part of the total.
template <class N>
struct ParameterCount
{
    N trainable{0};
    N fixed{0};
    N active{0}; ///< trainable parameters that one token uses
    N vectors{0}; ///< the part of `trainable` in norms, biases and routers

    bool operator==(const ParameterCount&) const = default;

    /// Calls visit(own, other's) for each pair of members.
    template <class Visit>
    [[gnu::always_inline]] void forEachPair(const ParameterCount& other, Visit visit)
    {
        visit(trainable, other.trainable);
        visit(fixed, other.fixed);
        visit(active, other.active);
        visit(vectors, other.vectors);
    }

    ParameterCount& operator+=(const ParameterCount& other)
    {
        forEachPair(other, [](N& to, const N& from) { to += from; });
        return *this;
    }

    friend ParameterCount operator+(ParameterCount a, const ParameterCount& b) { return a += b; }

    friend ParameterCount operator*(const N& times, const ParameterCount& p)
    {
        return {.trainable = times * p.trainable,
                .fixed = times * p.fixed,
                .active = times * p.active,
                .vectors = times * p.vectors};
    }

    /// `count` trainable parameters, all used by every token.
    static ParameterCount dense(const N& count)
    {
        return {.trainable = count, .fixed = N(0), .active = count};
    }

    /// The same of a norm, a bias or a router.
    static ParameterCount ofVectors(const N& count)
    {
        return {.trainable = count, .fixed = N(0), .active = count, .vectors = count};
    }
};

/// Everything one operation costs.
template <class N>
struct Cost
{
    OpCount<N> count{};
    Traffic<N> traffic{};
    ParameterCount<N> parameters{};
    /// Saved activations: elements that the forward pass saves for the backward pass. The input of
    /// the whole mixer, FFN or head is counted once, elsewhere.
    N saved{0};

    bool operator==(const Cost&) const = default;

    /// Calls visit(own, other's) for each pair of numbers.
    template <class Visit>
    [[gnu::always_inline]] void forEachPair(const Cost& other, Visit visit)
    {
        count.forEachPair(other.count, visit);
        traffic.forEachPair(other.traffic, visit);
        parameters.forEachPair(other.parameters, visit);
        visit(saved, other.saved);
    }

    Cost& operator+=(const Cost& other)
    {
        forEachPair(other, [](N& to, const N& from) { to += from; });
        return *this;
    }

    friend Cost operator+(Cost a, const Cost& b) { return a += b; }

    friend Cost operator*(const N& times, const Cost& c)
    {
        return {times * c.count, times * c.traffic, times * c.parameters, times * c.saved};
    }
};

} // namespace flopsmith
