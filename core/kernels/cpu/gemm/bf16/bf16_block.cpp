// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/bf16/bf16_block.h"

#include "core/base/check.h"
#include "core/kernels/cpu/gemm/bf16/bf16_emulation.h"
#include "core/kernels/cpu/gemm/bf16/bf16_tiles.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/simd/buffer.h"

#ifdef FLOPSMITH_ONEDNN
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>
#endif

namespace flopsmith::cpu {

#ifdef FLOPSMITH_ONEDNN

namespace {

const dnnl::engine& processor()
{
    static const dnnl::engine kEngine(dnnl::engine::kind::cpu, 0);
    return kEngine;
}

// One size of block on one thread: the compiled product and its operands, whose addresses are set
// before each run.
class OneDnnBlock
{
public:
    explicit OneDnnBlock(const BlockSize& size)
        : OneDnnBlock(description(size))
    {}

    void run(dnnl::stream& stream, const Bfloat16* a, const Bfloat16* panel, float* c)
    {
        m_a.set_data_handle(const_cast<Bfloat16*>(a)); // the library only reads it
        m_panel.set_data_handle(const_cast<Bfloat16*>(panel));
        m_c.set_data_handle(c);
        m_product.execute(stream, m_operands);
    }

private:
    using Memory = dnnl::memory;
    using Description = dnnl::matmul::primitive_desc;

    explicit OneDnnBlock(const Description& description)
        : m_product(description)
        , m_scratch(bufferSize(1,
                               static_cast<std::int64_t>(
                                   description.scratchpad_desc().get_size() / sizeof(float) + 1)))
        , m_a(description.src_desc(), processor(), nullptr)
        , m_panel(description.weights_desc(), processor(), nullptr)
        , m_c(description.dst_desc(), processor(), nullptr)
        , m_operands{{DNNL_ARG_SRC, m_a},
                     {DNNL_ARG_WEIGHTS, m_panel},
                     {DNNL_ARG_DST, m_c},
                     {DNNL_ARG_SCRATCHPAD,
                      Memory(description.scratchpad_desc(), processor(), m_scratch.data())}}
    {}

    static Description description(const BlockSize& size)
    {
        using Type = Memory::data_type;
        using Order = Memory::format_tag;
        dnnl::primitive_attr attributes;
        attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user); // else allocated in each run
        const Memory::desc a({size.rows, size.inner}, Type::bf16, Order::ab);
        const Memory::desc panel({size.inner, BlockSize::kPanel}, Type::bf16, Order::BA16a32b2a);
        const Memory::desc c({size.rows, BlockSize::kPanel}, Type::f32, Order::ab);
#if DNNL_VERSION_MAJOR >= 3
        return {processor(), a, panel, c, attributes};
#else
        return {{a, panel, c}, attributes, processor()};
#endif
    }

    dnnl::matmul m_product;
    Buffer m_scratch;
    Memory m_a;
    Memory m_panel;
    Memory m_c;
    std::unordered_map<int, Memory> m_operands;
};

// The products of all sizes on one thread so far, and scratch for the largest.
class LibraryBlocks
{
public:
    LibraryBlocks()
        : m_stream(processor())
        , m_rows(bufferSize(BlockSize::kMaxRows, BlockSize::kMaxInner / 2), Grant::always)
        , m_sums(bufferSize(BlockSize::kMaxRows, BlockSize::kPanel), Grant::always)
    {
        // The library's own thread pool would compete with ours, which does all parallel work.
        omp_set_num_threads(1);
    }

    // The library reads row-major blocks. Rows beyond the last are undefined.
    const Bfloat16* rowByRow(const BlockSize& size, const Bfloat16* tiles)
    {
        auto* rows = reinterpret_cast<Bfloat16*>(m_rows.data());
        for (std::int64_t r = 0; r < size.rows; ++r) {
            for (std::int64_t k = 0; k < size.inner; k += BlockSize::kInnerGrain) {
                std::copy_n(tiles + placeInTiles(r, k, size.inner),
                            BlockSize::kInnerGrain,
                            rows + r * size.inner + k);
            }
        }
        return rows;
    }

    void multiply(BlockSize size, const Bfloat16* a, const Bfloat16* panel, float* c, Into into)
    {
        const std::int64_t sums = size.rows * BlockSize::kPanel;
        size.rows = rowsFor(size.rows);
        auto found = m_products.find(size);
        if (found == m_products.end()) {
            found = m_products.try_emplace(size, size).first;
        }
        found->second.run(m_stream, a, panel, m_sums.data());
        if (into == Into::overwrite) {
            std::copy_n(m_sums.data(), sums, c);
        } else {
            std::transform(c, c + sums, m_sums.data(), c, std::plus<>());
        }
    }

private:
    // Few sizes, because each is compiled once.
    static std::int64_t rowsFor(std::int64_t rows)
    {
        for (std::int64_t few = 1; few < BlockSize::kRowGrain; few *= 2) {
            if (rows <= few) {
                return few;
            }
        }
        return roundedUp(rows, BlockSize::kRowGrain);
    }

    dnnl::stream m_stream;
    std::map<BlockSize, OneDnnBlock> m_products;
    Buffer m_rows;
    Buffer m_sums;
};

LibraryBlocks& libraryBlocks()
{
    thread_local LibraryBlocks blocks;
    return blocks;
}

// A limit of the library's instruction set (ONEDNN_MAX_CPU_ISA) limits this folder too.
bool usesTiles()
{
    constexpr auto kNeeded = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_amx);
    static const bool kUses =
        (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & kNeeded) == kNeeded && hasTiles();
    return kUses;
}

} // namespace

Status computesProductsIn(Precision precision)
{
    constexpr auto kNeeded = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_bf16);
    static const auto kThere = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
    if (precision == Precision::bfloat16 && (kThere & kNeeded) != kNeeded && !emulatesBfloat16()) {
        return Error{"precision: this processor has no bfloat16 products (AVX-512 BF16 or AMX); "
                     "float32 would do."};
    }
    return Done{};
}

LeftBlock::By LeftBlock::chosen()
{
    if (emulatesBfloat16()) {
        return By::emulation;
    }
    return usesTiles() ? By::tiles : By::library;
}

LeftBlock::LeftBlock(const BlockSize& size, const Bfloat16* a)
    : m_size(size)
    , m_by(chosen())
    , m_a(m_by == By::library ? libraryBlocks().rowByRow(size, a) : a)
{}

void LeftBlock::multiply(const Bfloat16* panel, const Bfloat16* next, float* c, Into into) const
{
    switch (m_by) {
    case By::tiles: multiplyByTiles(m_size, m_a, panel, next, c, into); break;
    case By::library: libraryBlocks().multiply(m_size, m_a, panel, c, into); break;
    case By::emulation: multiplyEmulated(m_size, m_a, panel, c, into); break;
    }
}

#else

Status computesProductsIn(Precision precision)
{
    if (precision == Precision::bfloat16 && !emulatesBfloat16()) {
        return Error{"precision: this build has no oneDNN, which computes products in bfloat16; "
                     "float32 would do."};
    }
    return Done{};
}

LeftBlock::By LeftBlock::chosen()
{
    return By::emulation;
}

LeftBlock::LeftBlock(const BlockSize& size, const Bfloat16* a)
    : m_size(size)
    , m_by(chosen())
    , m_a(a)
{
    FLOPSMITH_CHECK(computesProductsIn(Precision::bfloat16).ok());
}

void LeftBlock::multiply(const Bfloat16* panel, const Bfloat16* /*next*/, float* c, Into into) const
{
    FLOPSMITH_CHECK(m_by == By::emulation);
    multiplyEmulated(m_size, m_a, panel, c, into);
}

#endif

namespace {

// A float holds two bfloat16.
Bfloat16* grown(Buffer& buffer, std::int64_t rows, std::int64_t columns)
{
    const std::size_t size = bufferSize(rows, columns) / 2;
    if (buffer.size() < size) {
        buffer = Buffer(size, Grant::always);
    }
    return reinterpret_cast<Bfloat16*>(buffer.data());
}

} // namespace

float* sumsScratch()
{
    static thread_local Buffer sums(bufferSize(BlockSize::kMaxRows, BlockSize::kMaxColumns),
                                    Grant::always);
    return sums.data();
}

Bfloat16* leftScratch(std::int64_t rows, std::int64_t inner)
{
    static thread_local Buffer left;
    return grown(
        left, roundedUp(rows, BlockSize::kRowGrain), roundedUp(inner, BlockSize::kInnerGrain));
}

Bfloat16* rightScratch(std::int64_t inner)
{
    static thread_local Buffer right;
    return grown(right, roundedUp(inner, BlockSize::kInnerGrain), BlockSize::kMaxColumns);
}

} // namespace flopsmith::cpu
