// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__AVX__)
#include <immintrin.h>
#endif

// As many floats as one register of the processor this folder is compiled for. GCC's and Clang's
// vector types rather than intrinsics: +, ×, < and ?: work on them, and the same source serves
// every width. Only the sources of this folder include it: they share one set of compiler flags.
namespace flopsmith::cpu {

#if defined(__AVX512F__)
inline constexpr int kLanes = 16;
#elif defined(__AVX__)
inline constexpr int kLanes = 8;
#else
inline constexpr int kLanes = 4;
#endif

typedef float Lanes // NOLINT(modernize-use-using): the attribute needs a typedef
    __attribute__((vector_size(kLanes * sizeof(float))));
typedef std::int32_t IntLanes // NOLINT(modernize-use-using)
    __attribute__((vector_size(kLanes * sizeof(std::int32_t))));

inline Lanes load(const float* from)
{
    Lanes lanes;
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): null only if nothing is read
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

inline void store(float* to, Lanes lanes)
{
    std::memcpy(to, &lanes, sizeof lanes);
}

#if defined(__AVX512F__)
inline __mmask16 firstLanes(std::size_t count)
{
    return static_cast<__mmask16>((1U << count) - 1U);
}
#elif defined(__AVX__)
inline __m256i firstLanes(std::size_t count)
{
    static constexpr std::array<std::int32_t, 2 * kLanes> kMasks{-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMasks.data() + (kLanes - count)));
}
#endif

/// The first `count` lanes, 0 in the others.
inline Lanes loadSome(const float* from, std::size_t count)
{
#if defined(__AVX512F__)
    return std::bit_cast<Lanes>(_mm512_maskz_loadu_ps(firstLanes(count), from));
#elif defined(__AVX__)
    return std::bit_cast<Lanes>(_mm256_maskload_ps(from, firstLanes(count)));
#else
    Lanes lanes{};
    std::memcpy(&lanes, from, count * sizeof(float));
    return lanes;
#endif
}

inline void storeSome(float* to, Lanes lanes, std::size_t count)
{
#if defined(__AVX512F__)
    _mm512_mask_storeu_ps(to, firstLanes(count), std::bit_cast<__m512>(lanes));
#elif defined(__AVX__)
    _mm256_maskstore_ps(to, firstLanes(count), std::bit_cast<__m256>(lanes));
#else
    std::memcpy(to, &lanes, count * sizeof(float));
#endif
}

/// A streaming (non-temporal) store of data that is not read again soon; `to` is aligned to a
/// register.
inline void storeStreaming(float* to, Lanes lanes)
{
#if defined(__AVX512F__)
    _mm512_stream_ps(to, std::bit_cast<__m512>(lanes));
#else
    store(to, lanes);
#endif
}

/// Makes the results of storeStreaming() visible to other threads like any other store.
inline void fenceStreamingStores()
{
#if defined(__AVX512F__)
    _mm_sfence();
#endif
}

inline Lanes all(float value)
{
    return value - Lanes{}; // minus, because −0 + 0 is 0 but −0 − 0 is −0
}

inline IntLanes all(std::int32_t value)
{
    return value - IntLanes{};
}

inline IntLanes bitsOf(Lanes lanes)
{
    return std::bit_cast<IntLanes>(lanes);
}

inline Lanes fromBits(IntLanes bits)
{
    return std::bit_cast<Lanes>(bits);
}

inline IntLanes loadBits(const std::int32_t* from)
{
    IntLanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

/// 0, 1, 2, …
inline IntLanes laneNumbers()
{
    constexpr std::array<std::int32_t, 16> kNumbers{
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    static_assert(kNumbers.size() >= kLanes);
    return loadBits(kNumbers.data());
}

inline Lanes larger(Lanes a, Lanes b)
{
    return a < b ? b : a;
}

inline Lanes smaller(Lanes a, Lanes b)
{
    return b < a ? b : a;
}

inline Lanes magnitude(Lanes x)
{
    return fromBits(bitsOf(x) & 0x7FFFFFFF);
}

inline float sumOf(Lanes x)
{
    float sum = 0.0F;
    for (int i = 0; i < kLanes; ++i) {
        sum += x[i];
    }
    return sum;
}

namespace detail {

template <int Half, class Register, class Fold, int... Lane>
inline Register folded(Register x, const Fold& f, std::integer_sequence<int, Lane...> lanes)
{
    const Register both = f(x, __builtin_shufflevector(x, x, (Lane ^ Half)...));
    if constexpr (Half > 1) {
        return folded<Half / 2>(both, f, lanes);
    } else {
        return both;
    }
}

} // namespace detail

/// f of all lanes, two and two; f is associative and does not mind the order.
template <class Fold>
inline std::int32_t foldOf(IntLanes x, const Fold& f)
{
    return detail::folded<kLanes / 2>(x, f, std::make_integer_sequence<int, kLanes>{})[0];
}

/// The sum of all lanes by halves: no lane waits for another, many sums overlap.
inline float foldedSum(Lanes x)
{
    const auto add = [](Lanes a, Lanes b) { return a + b; };
    return detail::folded<kLanes / 2>(x, add, std::make_integer_sequence<int, kLanes>{})[0];
}

inline int sumOf(IntLanes x)
{
    return foldOf(x, [](IntLanes a, IntLanes b) { return a + b; });
}

inline IntLanes larger(IntLanes a, IntLanes b)
{
    return a < b ? b : a;
}

inline IntLanes smaller(IntLanes a, IntLanes b)
{
    return a < b ? a : b;
}

inline float largestOf(Lanes x)
{
    float max = x[0];
    for (int i = 1; i < kLanes; ++i) {
        max = max < x[i] ? x[i] : max;
    }
    return max;
}

/// Writes the lanes that are set in `mask` (−1 or 0 in each) one after the other; returns how many.
/// Up to a whole register may be written. No operator of the vector types does this.
inline std::size_t storePacked(std::int32_t* to, IntLanes lanes, IntLanes mask)
{
#if defined(__AVX512F__)
    const __m512i bits = std::bit_cast<__m512i>(lanes);
    const __mmask16 chosen =
        _mm512_cmplt_epi32_mask(std::bit_cast<__m512i>(mask), _mm512_setzero_si512());
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(chosen, bits));
    return static_cast<std::size_t>(__builtin_popcount(chosen));
#else
    std::size_t count = 0;
    for (int i = 0; i < kLanes; ++i) { // without branches: which lanes are set cannot be foreseen
        to[count] = lanes[i];
        count += static_cast<std::size_t>(-mask[i]);
    }
    return count;
#endif
}

/// One bit for each lane, the first lane's the lowest.
using LaneBits = std::uint16_t;

/// Reads as many values as there are set bits into the lanes of these bits, 0 into the others.
inline Lanes loadUnpacked(const float* from, LaneBits chosen)
{
#if defined(__AVX512F__)
    return std::bit_cast<Lanes>(_mm512_maskz_expandloadu_ps(chosen, from));
#else
    Lanes lanes{};
    for (int i = 0; i < kLanes; ++i) {
        if (((chosen >> i) & 1) != 0) {
            lanes[i] = *from++;
        }
    }
    return lanes;
#endif
}

/// Reads 16 bits into each lane.
inline IntLanes loadShorts(const std::uint16_t* from)
{
    typedef std::uint16_t Shorts // NOLINT(modernize-use-using): the attribute needs a typedef
        __attribute__((vector_size(kLanes * sizeof(std::uint16_t))));
    Shorts shorts;
    std::memcpy(&shorts, from, sizeof shorts);
    return __builtin_convertvector(shorts, IntLanes);
}

/// from[at[i]] in lane i.
inline Lanes loadGathered(const float* from, IntLanes at)
{
#if defined(__AVX512F__)
    return std::bit_cast<Lanes>(
        _mm512_i32gather_ps(std::bit_cast<__m512i>(at), from, sizeof(float)));
#else
    Lanes lanes;
    for (int i = 0; i < kLanes; ++i) {
        lanes[i] = from[at[i]];
    }
    return lanes;
#endif
}

/// The same for the first `count` lanes, 0 in the others.
inline Lanes loadSomeGathered(const float* from, IntLanes at, std::size_t count)
{
#if defined(__AVX512F__)
    return std::bit_cast<Lanes>(_mm512_mask_i32gather_ps(
        _mm512_setzero_ps(), firstLanes(count), std::bit_cast<__m512i>(at), from, sizeof(float)));
#else
    Lanes lanes{};
    for (std::size_t i = 0; i < count; ++i) {
        lanes[i] = from[at[i]];
    }
    return lanes;
#endif
}

inline Lanes loadGathered(const float* from, const std::int32_t* at)
{
    return loadGathered(from, loadBits(at));
}

/// The same for the first `count` lanes, 0 in the others.
inline Lanes loadSomeGathered(const float* from, const std::int32_t* at, std::size_t count)
{
#if defined(__AVX512F__)
    const __mmask16 some = firstLanes(count);
    return std::bit_cast<Lanes>(_mm512_mask_i32gather_ps(
        _mm512_setzero_ps(), some, _mm512_maskz_loadu_epi32(some, at), from, sizeof(float)));
#else
    Lanes lanes{};
    for (std::size_t i = 0; i < count; ++i) {
        lanes[i] = from[at[i]];
    }
    return lanes;
#endif
}

/// Calls step(i, n) along [0, count): whole registers first (n = kLanes), then the rest. Two calls,
/// so that the whole registers are compiled without a length.
template <class Whole, class Rest>
inline void along(std::size_t count, const Whole& whole, const Rest& rest)
{
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        whole(i);
    }
    if (i < count) {
        rest(i, count - i);
    }
}

/// Calls step(i, loadAt, storeAt) along [0, count), with functions that read and write a register,
/// at the end only as much of it as counts.
template <class Step>
inline void inRegisters(std::size_t count, const Step& step)
{
    along(
        count,
        [&](std::size_t i) { step(i, load, store); },
        [&](std::size_t i, std::size_t n) {
            step(
                i,
                [n](const float* from) { return loadSome(from, n); },
                [n](float* to, Lanes lanes) { storeSome(to, lanes, n); });
        });
}

/// y[i] = f(x[i], i) for registers of x; f sees the index of the first lane.
template <class F>
inline void transform(const float* x, float* y, std::size_t count, const F& f)
{
    along(
        count,
        [&](std::size_t i) { store(y + i, f(load(x + i), i)); },
        [&](std::size_t i, std::size_t n) { storeSome(y + i, f(loadSome(x + i, n), i), n); });
}

/// y[i] = f(a[i], b[i]) for registers of a and b; y may be either.
template <class F>
inline void combine(const float* a, const float* b, float* y, std::size_t count, const F& f)
{
    along(
        count,
        [&](std::size_t i) { store(y + i, f(load(a + i), load(b + i))); },
        [&](std::size_t i, std::size_t n) {
            storeSome(y + i, f(loadSome(a + i, n), loadSome(b + i, n)), n);
        });
}

} // namespace flopsmith::cpu
