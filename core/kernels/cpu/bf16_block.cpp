// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/bf16_block.h"

#include "core/base/check.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/precision.h"

#ifdef FLOPSMITH_ONEDNN
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>

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

// One size of block on one thread: the compiled product and its operands, whose places are set
// before each run.
class BlockProduct
{
public:
    explicit BlockProduct(const BlockSize& size)
        : BlockProduct(description(size))
    {}

    void run(dnnl::stream& stream, const Bfloat16* a, const Bfloat16* b, float* c)
    {
        m_a.set_data_handle(const_cast<Bfloat16*>(a)); // the library only reads it
        m_b.set_data_handle(const_cast<Bfloat16*>(b));
        m_c.set_data_handle(c);
        m_product.execute(stream, m_operands);
    }

private:
    using Memory = dnnl::memory;
    using Description = dnnl::matmul::primitive_desc;

    explicit BlockProduct(const Description& description)
        : m_product(description)
        , m_scratch(bufferSize(1,
                               static_cast<std::int64_t>(
                                   description.scratchpad_desc().get_size() / sizeof(float) + 1)))
        , m_a(description.src_desc(), processor(), nullptr)
        , m_b(description.weights_desc(), processor(), nullptr)
        , m_c(description.dst_desc(), processor(), nullptr)
        , m_operands{{DNNL_ARG_SRC, m_a},
                     {DNNL_ARG_WEIGHTS, m_b},
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
        const Memory::desc b({size.inner, size.columns}, Type::bf16, Order::BA16a64b2a);
        const Memory::desc c({size.rows, size.columns}, Type::f32, Order::ab);
#if DNNL_VERSION_MAJOR >= 3
        return {processor(), a, b, c, attributes};
#else
        return {{a, b, c}, attributes, processor()};
#endif
    }

    dnnl::matmul m_product;
    Buffer m_scratch;
    Memory m_a;
    Memory m_b;
    Memory m_c;
    std::unordered_map<int, Memory> m_operands;
};

// Sizes that the thread has met.
class BlockProducts
{
public:
    BlockProducts()
        : m_stream(processor())
    {
        // The library's own threads would wait for one another: all parallel work is our team's.
        omp_set_num_threads(1);
    }

    void run(const BlockSize& size, const Bfloat16* a, const Bfloat16* b, float* c)
    {
        auto found = m_products.find(size);
        if (found == m_products.end()) {
            found = m_products.try_emplace(size, size).first;
        }
        found->second.run(m_stream, a, b, c);
    }

private:
    dnnl::stream m_stream;
    std::map<BlockSize, BlockProduct> m_products;
};

} // namespace

Status computesProductsIn(Precision precision)
{
    constexpr auto kNeeded = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_bf16);
    static const auto kThere = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
    if (precision == Precision::bfloat16 && (kThere & kNeeded) != kNeeded) {
        return Error{"precision: this processor has no bfloat16 products (AVX-512 BF16 or AMX); "
                     "float32 would do."};
    }
    return Done{};
}

void multiplyBlock(const BlockSize& size, const Bfloat16* a, const Bfloat16* b, float* c)
{
    thread_local BlockProducts products;
    products.run(size, a, b, c);
}

#else

Status computesProductsIn(Precision precision)
{
    if (precision == Precision::bfloat16) {
        return Error{"precision: this build has no oneDNN, which computes products in bfloat16; "
                     "float32 would do."};
    }
    return Done{};
}

void multiplyBlock(const BlockSize& /*size*/,
                   const Bfloat16* /*a*/,
                   const Bfloat16* /*b*/,
                   float* /*c*/)
{
    FLOPSMITH_CHECK(computesProductsIn(Precision::bfloat16).ok());
}

#endif

BlockScratch blockScratch()
{
    // Two bfloat16 in the room of a float.
    thread_local Buffer a(bufferSize(BlockSize::kMostRows, BlockSize::kMostInner / 2));
    thread_local Buffer b(bufferSize(BlockSize::kMostInner / 2, BlockSize::kMostColumns));
    thread_local Buffer c(bufferSize(BlockSize::kMostRows, BlockSize::kMostColumns));
    return {reinterpret_cast<Bfloat16*>(a.data()), reinterpret_cast<Bfloat16*>(b.data()), c.data()};
}

} // namespace flopsmith::cpu
