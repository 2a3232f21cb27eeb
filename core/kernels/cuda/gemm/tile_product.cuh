// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/block/elements.cuh"

#include <cstring>

// Products of tiles in shared memory for grouped products, one warp per tile, accumulators in
// registers. A warp's tile consists of fragments of 16 rows and 8 columns in the register layout of
// mma.m16n8, with or without tensor cores. Lane 4g + t holds of each fragment:
//   [0], [1]: row g, columns 2t, 2t + 1        [2], [3]: the same of row g + 8
namespace flopsmith::cuda {

#ifdef __CUDACC__
#define FLOPSMITH_UNROLLED _Pragma("unroll")
#define FLOPSMITH_CALLED __noinline__
#else
#define FLOPSMITH_UNROLLED
#define FLOPSMITH_CALLED
#endif

constexpr int kPieceRows = 16;
constexpr int kPieceColumns = 8;
constexpr int kTileColumns = 64; ///< of a warp's tile of sums
constexpr int kTilePieces = kTileColumns / kPieceColumns;

/// The accumulators of a warp's tile: adjacent fragments.
struct TileSums
{
    float at[kTilePieces][4];

    __device__ void clear()
    {
        FLOPSMITH_UNROLLED
        for (int n = 0; n < kTilePieces; ++n) {
            FLOPSMITH_UNROLLED
            for (int i = 0; i < 4; ++i) {
                at[n][i] = 0.0F;
            }
        }
    }
};

/// Rows and columns of a lane's values in a fragment.
struct PiecePlace
{
    int g; ///< row, and row + 8
    int t; ///< half of the first column

    __device__ PiecePlace()
        : g(static_cast<int>(threadIdx.x) % kWarp / 4)
        , t(static_cast<int>(threadIdx.x) % 4)
    {}
};

__device__ inline float roundedToTf32(float value)
{
    constexpr unsigned kHalf = 1U << 12;
    constexpr unsigned kKept = ~((1U << 13) - 1U);
    const unsigned bits = __float_as_uint(value);
    constexpr unsigned kExponent = 0x7f800000U;
    return (bits & kExponent) == kExponent ? value : __uint_as_float((bits + kHalf) & kKept);
}

__device__ inline unsigned pairAt(const __nv_bfloat16* first)
{
    const auto pair = *reinterpret_cast<const Pack<__nv_bfloat16, 2>*>(first);
    unsigned bits = 0;
    memcpy(&bits, &pair, sizeof(bits));
    return bits;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

// c += a·b, 16×16 times 16×8 of bfloat16.
__device__ inline void multiplyPieces16(float (&c)[4],
                                        const unsigned (&a)[4],
                                        unsigned b0,
                                        unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// c += a·b, 16×8 times 8×8 of tf32.
__device__ inline void multiplyPieces8(float (&c)[4], const float (&a)[4], float b0, float b1)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(__float_as_uint(a[0])),
                   "r"(__float_as_uint(a[1])),
                   "r"(__float_as_uint(a[2])),
                   "r"(__float_as_uint(a[3])),
                   "r"(__float_as_uint(b0)),
                   "r"(__float_as_uint(b1)));
}

#else

// The same without tensor cores: reads the operands that other lanes hold.
FLOPSMITH_CALLED __device__ inline void multiplyPieces8(float (&c)[4],
                                                        const float (&a)[4],
                                                        float b0,
                                                        float b1)
{
    constexpr int kMaxWarps = 4; // of the kernels that multiply pieces
    __shared__ float operands[kMaxWarps][kWarp][6];
    const PiecePlace place;
    auto& ofWarp = operands[threadIdx.x / kWarp];
    float* const own = ofWarp[threadIdx.x % kWarp];
    for (int i = 0; i < 4; ++i) {
        own[i] = a[i];
    }
    own[4] = b0;
    own[5] = b1;
    __syncwarp();
    for (int k = 0; k < 4; ++k) {
        const float* const left = ofWarp[4 * place.g + k];
        for (int j = 0; j < 2; ++j) {
            const float* const right = ofWarp[8 * place.t + 4 * j + k];
            c[j] += left[0] * right[4] + left[2] * right[5];
            c[2 + j] += left[1] * right[4] + left[3] * right[5];
        }
    }
    __syncwarp();
}

__device__ inline float lowerOf(unsigned pair)
{
    return __uint_as_float(pair << 16U);
}
__device__ inline float upperOf(unsigned pair)
{
    return __uint_as_float(pair & 0xffff0000U);
}

FLOPSMITH_CALLED __device__ inline void multiplyPieces16(float (&c)[4],
                                                         const unsigned (&a)[4],
                                                         unsigned b0,
                                                         unsigned b1)
{
    const float even[4] = {lowerOf(a[0]), lowerOf(a[1]), lowerOf(a[2]), lowerOf(a[3])};
    const float odd[4] = {upperOf(a[0]), upperOf(a[1]), upperOf(a[2]), upperOf(a[3])};
    multiplyPieces8(c, even, lowerOf(b0), lowerOf(b1));
    multiplyPieces8(c, odd, upperOf(b0), upperOf(b1));
}

#endif

/// Engines: element type in shared memory, and the product c += a·bᵀ of 16 rows of a and 64 of b,
/// `width` features each (a multiple of kPieceRows); rows are aligned to 16 bytes.
struct Float32Engine
{
    using Value = float;
    static constexpr int kPadding = 4; ///< per row, against bank conflicts

    static __device__ float kept(float value) { return value; }

    static __device__ void addRowProducts(TileSums& c,
                                          const float* a,
                                          int aStride,
                                          const float* b,
                                          int bStride,
                                          int width)
    {
        const PiecePlace place;
        const float* const upper = a + place.g * aStride;
        const float* const lower = upper + 8 * aStride;
        const float* const row = b + 2 * place.t * bStride;
        for (int k = 0; k < width; k += 4) {
            const Pack<float, 4> above = load<4>(upper + k);
            const Pack<float, 4> below = load<4>(lower + k);
            FLOPSMITH_UNROLLED
            for (int n = 0; n < kTilePieces; ++n) {
                FLOPSMITH_UNROLLED
                for (int j = 0; j < 2; ++j) {
                    const Pack<float, 4> other = load<4>(row + (8 * n + j) * bStride + k);
                    FLOPSMITH_UNROLLED
                    for (int i = 0; i < 4; ++i) {
                        c.at[n][j] = fmaf(above.at[i], other.at[i], c.at[n][j]);
                        c.at[n][2 + j] = fmaf(below.at[i], other.at[i], c.at[n][2 + j]);
                    }
                }
            }
        }
    }
};

struct Tf32Engine
{
    using Value = float;
    static constexpr int kPadding = 4;

    static __device__ float kept(float value) { return roundedToTf32(value); }

    static __device__ void addRowProducts(TileSums& c,
                                          const float* a,
                                          int aStride,
                                          const float* b,
                                          int bStride,
                                          int width)
    {
        const PiecePlace place;
        const float* const upper = a + place.g * aStride + place.t;
        const float* const lower = upper + 8 * aStride;
        const float* const row = b + place.g * bStride + place.t;
        for (int k = 0; k < width; k += 8) {
            const float left[4] = {upper[k], lower[k], upper[k + 4], lower[k + 4]};
            FLOPSMITH_UNROLLED
            for (int n = 0; n < kTilePieces; ++n) {
                const float* const right = row + 8 * n * bStride + k;
                multiplyPieces8(c.at[n], left, right[0], right[4]);
            }
        }
    }
};

struct Bfloat16Engine
{
    using Value = __nv_bfloat16;
    static constexpr int kPadding = 8;

    static __device__ float kept(float value) { return value; }

    static __device__ void addRowProducts(TileSums& c,
                                          const __nv_bfloat16* a,
                                          int aStride,
                                          const __nv_bfloat16* b,
                                          int bStride,
                                          int width)
    {
        const PiecePlace place;
        const __nv_bfloat16* const upper = a + place.g * aStride + 2 * place.t;
        const __nv_bfloat16* const lower = upper + 8 * aStride;
        const __nv_bfloat16* const row = b + place.g * bStride + 2 * place.t;
        for (int k = 0; k < width; k += 16) {
            const unsigned left[4] = {
                pairAt(upper + k), pairAt(lower + k), pairAt(upper + k + 8), pairAt(lower + k + 8)};
            FLOPSMITH_UNROLLED
            for (int n = 0; n < kTilePieces; ++n) {
                const __nv_bfloat16* const right = row + 8 * n * bStride + k;
                multiplyPieces16(c.at[n], left, pairAt(right), pairAt(right + 8));
            }
        }
    }
};

/// Calls work(Engine{}) with the engine of the device's precision.
template <class Work>
void withEngine(const Device& device, const Work& work)
{
    switch (device.precision()) {
    case ProductPrecision::float32: work(Float32Engine{}); return;
    case ProductPrecision::tf32: work(Tf32Engine{}); return;
    case ProductPrecision::bfloat16: work(Bfloat16Engine{}); return;
    }
}

} // namespace flopsmith::cuda
