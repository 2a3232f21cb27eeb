// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/ffn_variants.h"
#include "core/kernels/cpu/cache_flush.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/gemm/library_product.h"
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/peaks.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/mixer/mixer_variants.h"
#include "tests/core/kernels/cpu/cases.h"

#include <gtest/gtest.h>

#include <link.h>
#include <malloc.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FLOPSMITH_COUNTS_ALLOCATIONS 1
#endif

namespace {

std::atomic<int> allocations{0};

} // namespace

#ifdef FLOPSMITH_COUNTS_ALLOCATIONS
namespace {

// Where the code of libraries lies that pack operands of products into memory that they take and
// give back in the call; that is not for our kernels to prevent.
struct AddressRange
{
    std::uintptr_t first = 0;
    std::uintptr_t last = 0;
};
std::array<AddressRange, 2> packing;
std::size_t found = 0;

int findPacking(dl_phdr_info* library, std::size_t /*size*/, void* /*unused*/)
{
    const std::string_view name(library->dlpi_name);
    if (name.find("libdnnl") == std::string_view::npos) {
        return 0;
    }
    for (int i = 0; i < library->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = library->dlpi_phdr[i];
        if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0) {
            const std::uintptr_t first = library->dlpi_addr + segment.p_vaddr;
            packing[found++ % packing.size()] = {first, first + segment.p_memsz};
        }
    }
    return 0;
}

void noteAllocation(const void* caller)
{
    const auto address = reinterpret_cast<std::uintptr_t>(caller);
    bool ours = true;
    for (const AddressRange& library : packing) {
        ours = ours && (address < library.first || address >= library.last);
    }
    allocations += ours ? 1 : 0;
}

} // namespace

// Every allocation of the program, of its libraries and of operator new comes through here; glibc
// keeps its own under these names.
extern "C" {
void* __libc_malloc(std::size_t size); // NOLINT
void* __libc_calloc(std::size_t count, std::size_t size); // NOLINT
void* __libc_realloc(void* old, std::size_t size); // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t size); // NOLINT

void* malloc(std::size_t size)
{
    noteAllocation(__builtin_return_address(0));
    return __libc_malloc(size);
}

void* calloc(std::size_t nmemb, std::size_t size)
{
    noteAllocation(__builtin_return_address(0));
    return __libc_calloc(nmemb, size);
}

void* realloc(void* ptr, std::size_t size)
{
    noteAllocation(__builtin_return_address(0));
    return __libc_realloc(ptr, size);
}

void* memalign(std::size_t alignment, std::size_t size)
{
    noteAllocation(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size)
{
    noteAllocation(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

int posix_memalign(void** memptr, std::size_t alignment, std::size_t size)
{
    noteAllocation(__builtin_return_address(0));
    *memptr = __libc_memalign(alignment, size);
    return *memptr == nullptr ? ENOMEM : 0;
}
}
#endif

namespace flopsmith::cpu {
namespace {

class NoAllocation : public testing::Test
{
protected:
    void SetUp() override
    {
#ifndef FLOPSMITH_COUNTS_ALLOCATIONS
        GTEST_SKIP() << "the sanitizer has its own allocator";
#else
        dl_iterate_phdr(findPacking, nullptr);
#endif
    }
};

int allocationsOf(Kernel& kernel)
{
    const int before = allocations;
    kernel.run();
    return allocations - before;
}

// Eigen packs into memory of its own, on the stack only where a block is small: as caches have it.
// oneDNN 3 allocates in products of the backward pass, 264 times at these shapes.
int mostAllocations()
{
    constexpr int kOfEigen = 8;
    constexpr int kOfOneDnn3 = 300;
    const auto library = productLibrary();
    if (library.name == "Eigen") {
        return kOfEigen;
    }
    return library.version.starts_with("3.") ? kOfOneDnn3 : 0;
}

// Large enough for a library, for several blocks and tiles.
constexpr Shape kShape{.batch = 2, .sequence = 70, .context = 70, .dModel = 48};

TEST_F(NoAllocation, IsCountedAtAll)
{
    const int before = allocations;
    const auto three = std::make_unique<std::vector<int>>(3);
    EXPECT_GE(allocations - before, 2);
    EXPECT_EQ(three->size(), 3U);
}

// The prototypes, with as many bins as the width has.
std::vector<FfnSpec> ffnsToRun()
{
    std::vector<FfnSpec> all = ffnPrototypes();
    for (FfnSpec& ffn : all) {
        if (auto* composed = get_if<ComposedFfn>(&ffn)) {
            composed->stages[0].spec = SpectralFfn{.kFreq = 20};
        } else if (auto* spectral = get_if<SpectralFfn>(&ffn)) {
            spectral->kFreq = 20;
        }
    }
    return all;
}

TEST_F(NoAllocation, HappensInTheRunOfAnyFfn)
{
    for (const FfnSpec& ffn : ffnsToRun()) {
        const auto weights = randomWeights<float>(flopsmith::weights(ffn, kShape.dModel), 1);
        const auto x = randomActivations<float>(kShape.activations(), 2);
        for (const int threads : {1, 2}) {
            const auto kernel = std::move(prepare(ffn, kShape, weights, x, {threads})).value();
            EXPECT_LE(allocationsOf(*kernel), mostAllocations())
                << info(ffn).id << ", " << threads << " threads";
        }
    }
}

TEST_F(NoAllocation, HappensInTheBackwardRunOfAnyFfn)
{
    std::vector<FfnSpec> ffns = ffnsToRun();
    ffns.emplace_back(SpectralFfn{.kFreq = 20, .algorithm = SpectralAlgorithm::fft});
    ffns.emplace_back(SpectralFfn{.kFreq = 20, .selection = BinSelection::topK});
    ffns.emplace_back(PolynomialFfn{.coefficients = CoefficientSharing::perChannel,
                                    .selection = ChannelSelection::topK});
    ffns.emplace_back(MicroRefineFfn{.mode = MicroRefineMode::iterative});
    for (const FfnSpec& ffn : ffns) {
        const auto weights = randomWeights<float>(flopsmith::weights(ffn, kShape.dModel), 1);
        const auto x = randomActivations<float>(kShape.activations(), 2);
        const auto dy = randomActivations<float>(kShape.activations(), 3);
        for (const int threads : {1, 2}) {
            const auto kernel =
                std::move(prepareBackward(ffn, kShape, weights, x, dy, {threads})).value();
            EXPECT_LE(allocationsOf(*kernel), mostAllocations())
                << info(ffn).id << ", " << threads << " threads";
        }
    }
}

// With every option that could allocate.
Attention attentionBy(AttentionAlgorithm algorithm)
{
    Attention attention{.rotary = true, .algorithm = algorithm};
    attention.qkNorm = QkNorm::perHead;
    attention.sinks = true;
    attention.softCap = 50;
    attention.positionBias = PositionBias::relative;
    return attention;
}

// The given attention, both forms of a latent one, and every mixer of the registry, which attends by
// the same algorithm.
std::vector<MixerSpec> mixersToRun(const Attention& attention)
{
    const LatentAttention expanded{.heads = 3,
                                   .qLoraRank = 20,
                                   .kvLoraRank = 24,
                                   .qkNopeDim = 9,
                                   .qkRopeDim = 4,
                                   .vHeadDim = 11,
                                   .algorithm = attention.algorithm};
    LatentAttention absorbed = expanded;
    absorbed.form = LatentForm::absorbed;
    std::vector<MixerSpec> all{attention, expanded, absorbed};
    for (const MixerSpec& prototype : mixerPrototypes()) {
        all.push_back(legalised(prototype, fields(prototype), {.dModel = kShape.dModel}));
        visit(
            [&](auto& mixer) {
                if constexpr (requires { mixer.algorithm = attention.algorithm; }) {
                    mixer.algorithm = attention.algorithm;
                }
            },
            all.back());
    }
    return all;
}

TEST_F(NoAllocation, HappensInTheRunOfAnyMixer)
{
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        for (const MixerSpec& mixer : mixersToRun(attentionBy(algorithm))) {
            const auto weights = randomWeights<float>(flopsmith::weights(mixer, 48), 1);
            const auto x = randomActivations<float>(operandsOf(mixer, kShape).x, 2);
            for (const int threads : {1, 2}) {
                const auto kernel =
                    std::move(prepare(mixer, kShape, weights, {x, {}, {}}, {threads})).value();
                EXPECT_LE(allocationsOf(*kernel), mostAllocations())
                    << info(mixer).id << ", " << threads << " threads";
            }
        }
    }
}

TEST_F(NoAllocation, HappensInTheBackwardRunOfAnyMixer)
{
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        for (const MixerSpec& mixer : mixersToRun(attentionBy(algorithm))) {
            const auto weights = randomWeights<float>(flopsmith::weights(mixer, 48), 1);
            const auto x = randomActivations<float>(operandsOf(mixer, kShape).x, 2);
            const auto dy = randomActivations<float>(kShape.activations(), 3);
            for (const int threads : {1, 2}) {
                const auto kernel =
                    std::move(prepareBackward(mixer, kShape, weights, x, dy, {threads})).value();
                EXPECT_LE(allocationsOf(*kernel), mostAllocations())
                    << info(mixer).id << ", " << threads << " threads";
            }
        }
    }
}

TEST_F(NoAllocation, HappensInTheRunOfTheOtherLayers)
{
    const auto x = randomActivations<float>(kShape.activations(), 2);
    const auto normWeights = randomWeights<float>(weights(Norm{}, 48), 1);
    const Embedding embedding{.vocab = 10, .positionRows = 70};
    const auto embeddingWeights = randomWeights<float>(weights(embedding, 48), 1);
    const std::vector<int> ids(kShape.tokens(), 3);
    const auto headWeights = randomWeights<float>(weights(Head{}, 48, 10), 1);
    std::vector<std::unique_ptr<Kernel>> kernels;
    kernels.push_back(std::move(prepare(Norm{}, kShape, normWeights, x, {2})).value());
    kernels.push_back(std::move(prepareResidual(x, x, {2})).value());
    kernels.push_back(std::move(prepare(embedding, kShape, embeddingWeights, ids, {2})).value());
    kernels.push_back(std::move(prepare(Head{}, 10, kShape, headWeights, x, {2})).value());
    kernels.push_back(std::move(std::move(prepareCopyPeak(1 << 16, {2})).value().kernel));
    kernels.push_back(std::move(std::move(prepareCachePeak(1 << 16, {2})).value().kernel));
    kernels.push_back(std::move(std::move(prepareLaunch({2})).value().kernel));
    kernels.push_back(std::move(prepareCacheFlush(1 << 16, {2})).value());
    auto peaks = std::move(prepareProductPeaks(64, {1})).value();
    for (PeakKernel& peak : peaks) {
        kernels.push_back(std::move(peak.kernel));
    }

    for (const auto& kernel : kernels) {
        EXPECT_LE(allocationsOf(*kernel), mostAllocations());
    }
}

// Of both kinds of memory that malloc() hands out.
std::size_t heapBytes()
{
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

// What make() leaves on the heap is known to the ledger, but for objects and short lists, and is
// released with the kernel.
template <class Make>
void expectLedgerSees(const Make& make, const std::string& label)
{
    make(); // threads, plans and libraries keep what they allocate the first time
    constexpr std::size_t kSmall = std::size_t{256} << 10;
    const std::size_t heap = heapBytes();
    const std::size_t ledger = memoryLedger().bytes();

    std::unique_ptr<Kernel> kernel = make();

    const std::size_t counted = memoryLedger().bytes() - ledger;
    EXPECT_LE(heapBytes(), heap + counted + counted / 50 + kSmall) << label;
    EXPECT_GE(counted, kernel->output().size_bytes()) << label;
    EXPECT_GE(memoryLedger().maxBytes(), memoryLedger().bytes()) << label;
    kernel.reset();
    EXPECT_EQ(memoryLedger().bytes(), ledger) << label;
}

using AllocatedMemory = NoAllocation;

// Workspaces of several MiB.
constexpr Shape kLong{.batch = 2, .sequence = 500, .context = 500, .dModel = 240};

TEST_F(AllocatedMemory, OfAnyFfnIsInTheLedger)
{
    for (const FfnSpec& ffn : ffnsToRun()) {
        const auto weights = randomWeights<float>(flopsmith::weights(ffn, kLong.dModel), 1);
        const auto x = randomActivations<float>(kLong.activations(), 2);
        const auto dy = randomActivations<float>(kLong.activations(), 3);
        const std::string label(info(ffn).id);
        expectLedgerSees([&] { return std::move(prepare(ffn, kLong, weights, x, {2})).value(); },
                         label);
        expectLedgerSees(
            [&] { return std::move(prepareBackward(ffn, kLong, weights, x, dy, {2})).value(); },
            label + ", backward");
    }
}

TEST_F(AllocatedMemory, OfAnyMixerIsInTheLedger)
{
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        for (const MixerSpec& mixer : mixersToRun(attentionBy(algorithm))) {
            const auto weights = randomWeights<float>(flopsmith::weights(mixer, kLong.dModel), 1);
            const auto x = randomActivations<float>(operandsOf(mixer, kLong).x, 2);
            const auto dy = randomActivations<float>(kLong.activations(), 3);
            const std::string label(info(mixer).id);
            expectLedgerSees(
                [&] {
                    return std::move(prepare(mixer, kLong, weights, {x, {}, {}}, {2})).value();
                },
                label);
            expectLedgerSees(
                [&] {
                    return std::move(prepareBackward(mixer, kLong, weights, x, dy, {2})).value();
                },
                label + ", backward");
        }
    }
}

TEST_F(AllocatedMemory, OfTheOtherLayersIsInTheLedger)
{
    constexpr int kVocab = 3000;
    const auto x = randomActivations<float>(kLong.activations(), 2);
    const auto dLogits = randomActivations<float>(kLong.tokens() * kVocab, 3);
    const auto normWeights = randomWeights<float>(weights(Norm{}, kLong.dModel), 1);
    const Embedding embedding{.vocab = kVocab, .positionRows = kLong.sequence};
    const auto embeddingWeights = randomWeights<float>(weights(embedding, kLong.dModel), 1);
    const std::vector<int> ids(kLong.tokens(), 3);
    const auto headWeights = randomWeights<float>(weights(Head{}, kLong.dModel, kVocab), 1);
    const Threads two{2};
    expectLedgerSees([&] { return std::move(prepare(Norm{}, kLong, normWeights, x, two)).value(); },
                     "norm");
    expectLedgerSees(
        [&] { return std::move(prepareBackward(Norm{}, kLong, normWeights, x, x, two)).value(); },
        "norm, backward");
    expectLedgerSees([&] { return std::move(prepareResidual(x, x, two)).value(); }, "residual");
    expectLedgerSees(
        [&] { return std::move(prepare(embedding, kLong, embeddingWeights, ids, two)).value(); },
        "embedding");
    expectLedgerSees(
        [&] {
            return std::move(prepareBackward(embedding, kLong, embeddingWeights, ids, x, two))
                .value();
        },
        "embedding, backward");
    expectLedgerSees(
        [&] { return std::move(prepare(Head{}, kVocab, kLong, headWeights, x, two)).value(); },
        "LM head");
    expectLedgerSees(
        [&] {
            return std::move(prepareBackward(Head{}, kVocab, kLong, headWeights, x, dLogits, two))
                .value();
        },
        "LM head, backward");
}

TEST(MemoryLedger, RefusesWhatIsNotAllowedAndTakesNothingThen)
{
    MemoryLedger ledger;
    ledger.take(100);
    ledger.allow(50);

    EXPECT_THROW(ledger.take(51), OutOfMemory);
    EXPECT_TRUE(ledger.refused());
    EXPECT_EQ(ledger.bytes(), 100U);
    ledger.take(50);
    EXPECT_THROW(ledger.take(1), OutOfMemory);
    ledger.release(120);
    ledger.take(120);
    EXPECT_EQ(ledger.maxBytes(), 150U);
    EXPECT_EQ(ledger.maxTakenBytes(), 50U);
    ledger.take(7, Grant::always);
    EXPECT_EQ(ledger.bytes(), 157U);
    EXPECT_EQ(ledger.maxTakenBytes(), 50U) << "a job does not need what threads keep";
    ledger.release(50);
    EXPECT_NO_THROW(ledger.take(50)) << "and its allowance does not shrink by it";
    ledger.allow();
    EXPECT_FALSE(ledger.refused());
    EXPECT_NO_THROW(ledger.take(std::size_t{1} << 60));
}

TEST(MemoryLedger, RefusesWhatNoNumberOfBytesCanSay)
{
    constexpr std::int64_t kMany = std::int64_t{1} << 40;
    EXPECT_THROW(Buffer(bufferSize(kMany, kMany)), std::bad_alloc);
}

TEST(MemoryLedger, RefusalIsASentenceWithBothSizesAndLosesNothing)
{
    const auto weights = randomWeights<float>(flopsmith::weights(DenseFfn{}, 48), 1);
    const auto x = randomActivations<float>(kShape.activations(), 2);
    // Threads keep the scratch that they take once.
    ASSERT_TRUE(prepare(DenseFfn{}, kShape, weights, x, {2}).ok());
    const std::size_t before = memoryLedger().bytes();
    memoryLedger().allow(std::size_t{100} << 10);

    const auto refused = prepare(DenseFfn{}, kShape, weights, x, {2});

    memoryLedger().allow();
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("more memory, but"), std::string::npos)
        << refused.error().message;
    EXPECT_EQ(memoryLedger().bytes(), before);
}

} // namespace
} // namespace flopsmith::cpu
