// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/device/fft_plan.h"
#include "core/kernels/cuda/ffn/spectral/spectral.h"
#include "core/kernels/cuda/ffn/spectral/spectral_filter.cuh"
#include "core/kernels/cuda/gemm/columns.cuh"
#include "core/kernels/cuda/select/selection.cuh"

namespace flopsmith::cuda {
namespace {

// Filters the spectra of all tokens [rows, bins] in place in one pass: selection, filter, the
// factor 1/d of the inverse transform, zeros in all other bins.
struct Filter
{
    int columns = 1; ///< d
    int bins = 1; ///< F
    int entries = 1; ///< of the filter
    const int* entryOfBin = nullptr; ///< [bins], −1: not kept; null: bin i < entries has entry i
    int kept = 0; ///< bins chosen per token; 0: all that have an entry
    const cufftComplex* weights = nullptr; ///< [entries]
    cufftComplex* spectra = nullptr;
    cufftComplex* keptSpectra = nullptr; ///< [rows, entries], if not null: bins before the filter
    unsigned* chosen = nullptr; ///< [rows, words], if not null: which bins were chosen

    __device__ int entryAt(int bin) const
    {
        if (entryOfBin != nullptr) {
            return entryOfBin[bin];
        }
        return bin < entries ? bin : -1;
    }
    __device__ bool alone(int bin) const { return bin == 0 || 2 * bin == columns; }

    // Bins 0 and d/2 are real: cuFFT requires a zero imaginary part.
    __device__ cufftComplex scaled(int bin, cufftComplex value) const
    {
        const float scale = 1.0F / static_cast<float>(columns);
        return complexOf(value.x * scale, alone(bin) ? 0.0F : value.y * scale);
    }

    __device__ void filterBin(std::int64_t row, int bin, int entry) const
    {
        cufftComplex& value = spectra[row * bins + bin];
        if (entry < 0) {
            value = complexOf(0.0F, 0.0F);
            return;
        }
        if (keptSpectra != nullptr) {
            keptSpectra[row * entries + entry] = value;
        }
        value = scaled(bin, productOf(weights[entry], value));
    }
};

struct FixedFilter
{
    Filter filter;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            const int bin = static_cast<int>(column) + i;
            filter.filterBin(row, bin, filter.entryAt(bin));
        }
    }
};

// |X|². One function for all callers, so that every pass rounds it alike.
__device__ float powerOf(cufftComplex value)
{
    return fmaf(value.x, value.x, value.y * value.y);
}

// One block per row chooses the strongest bins and filters them. A thread owns the bins
// thread + i·threads. `powersOnChip`: dynamic shared memory holds all [bins] powers.
__global__ void filterStrongest(Filter filter, bool powersOnChip)
{
    const std::int64_t row = blockIdx.x;
    const cufftComplex* spectrum = filter.spectra + row * filter.bins;
    float* powers = sharedMemory<float>();
    BlockTeam block;
    if (powersOnChip) {
        for (int bin = block.thread(); bin < filter.bins; bin += block.size()) {
            powers[bin] = powerOf(spectrum[bin]);
        }
    }
    const auto key = [&](int bin) {
        return magnitudeKey(powersOnChip ? powers[bin] : powerOf(spectrum[bin]));
    };
    const Threshold threshold = thresholdOfLargest(block, filter.bins, filter.kept, key);
    const auto kept = [&](int bin) { return threshold.keeps(key(bin), bin); };
    if (filter.chosen != nullptr) {
        const std::int64_t words = (filter.bins + kWordBits - 1) / kWordBits;
        writeBits(filter.chosen + row * words, filter.bins, kept);
    }
    for (int bin = block.thread(); bin < filter.bins; bin += block.size()) {
        filter.filterBin(row, bin, kept(bin) ? bin : -1);
    }
}

// Device memory and plans of a spectral FFN by FFT.
class FilteredSpectra
{
public:
    FilteredSpectra(const SpectralFfn& ffn,
                    const StageSize& size,
                    DeviceSpan<const float> weights,
                    const Device& device)
        : m_device(device)
        , m_rows(size.tokens)
        , m_toBins(device.ffts().plan(realRows(size.tokens, size.dModel)))
        , m_toFeatures(device.ffts().plan(complexRowsToReal(size.tokens, size.dModel)))
        , m_spectra(device.memory(),
                    static_cast<std::size_t>(size.tokens * SpectralFfn::bins(size.dModel)))
    {
        const bool topK = ffn.selection == BinSelection::topK;
        m_filter.columns = size.dModel;
        m_filter.bins = SpectralFfn::bins(size.dModel);
        m_filter.entries = topK ? m_filter.bins : ffn.kFreq;
        m_filter.kept = topK ? ffn.kFreq : 0;
        m_filter.weights = reinterpret_cast<const cufftComplex*>(weights.data());
        m_filter.spectra = m_spectra.data();
        if (ffn.selection == BinSelection::learned) {
            m_entryOfBin = entriesOf(ffn.candidateBins(size.dModel));
            m_filter.entryOfBin = m_entryOfBin.data();
        }
    }

    const Filter& filter() const { return m_filter; }
    void keep(cufftComplex* keptSpectra, unsigned* chosen)
    {
        m_filter.keptSpectra = keptSpectra;
        m_filter.chosen = chosen;
    }

    void run(const float* x, float* y) const
    {
        m_toBins.toComplex(x, m_spectra.data());
        if (m_filter.kept == 0) {
            forEachElement(m_device, m_rows, m_filter.bins, FixedFilter{m_filter});
        } else {
            runStrongest();
        }
        m_toFeatures.toReal(m_spectra.data(), y);
    }

    void toBins(const float* from) const { m_toBins.toComplex(from, m_spectra.data()); }
    void toFeatures(float* to) const { m_toFeatures.toReal(m_spectra.data(), to); }

private:
    DeviceBuffer<int> entriesOf(const std::vector<int>& kept) const
    {
        std::vector<int> entries(static_cast<std::size_t>(m_filter.bins), -1);
        for (std::size_t i = 0; i < kept.size(); ++i) {
            entries[static_cast<std::size_t>(kept[i])] = static_cast<int>(i);
        }
        return {m_device.memory(), entries};
    }

    void runStrongest() const
    {
        constexpr std::size_t kOther = std::size_t{1} << 10; // sums over the block
        constexpr int kBinsPerThread = 4;
        const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(m_filter.bins);
        const bool onChip = bytes + kOther <= m_device.facts().sharedBytesPerBlock;
        launch(m_device,
               static_cast<unsigned>(m_rows),
               static_cast<unsigned>(threadsForRow(dividedUp(m_filter.bins, kBinsPerThread))),
               onChip ? bytes : 0,
               &filterStrongest,
               m_filter,
               onChip);
    }

    const Device& m_device;
    std::int64_t m_rows;
    const FftPlan& m_toBins;
    const FftPlan& m_toFeatures;
    DeviceBuffer<cufftComplex> m_spectra;
    DeviceBuffer<int> m_entryOfBin;
    Filter m_filter;
};

class SpectralFftStage : public Stage
{
public:
    SpectralFftStage(const SpectralFfn& ffn,
                     const StageSize& size,
                     DeviceSpan<const float> filter,
                     const Device& device)
        : m_spectra(ffn, size, filter, device)
    {}

    void run(const float* x, float* y) override { m_spectra.run(x, y); }

private:
    FilteredSpectra m_spectra;
};

// One thread per bin and part of the tokens: G ← conj(w)·G/d where the bin is kept, and Σ conj(X)·G
// times c/d of the inverse transform, c = 1 for bins 0 and d/2, else 2. `kept`: of top_k.
// partial [parts, entries, 2].
__global__ void filterGradients(Filter filter,
                                KeptBits kept,
                                std::int64_t rows,
                                std::int64_t perPart,
                                float* partial)
{
    const PartOfRows part(rows, perPart);
    if (part.column >= filter.bins) {
        return;
    }
    const int bin = static_cast<int>(part.column);
    const int entry = filter.entryAt(bin);
    const cufftComplex weight = entry < 0 ? complexOf(0.0F, 0.0F) : filter.weights[entry];
    cufftComplex sum = complexOf(0.0F, 0.0F);
    for (std::int64_t row = part.first; row < part.last; ++row) {
        cufftComplex& value = filter.spectra[row * filter.bins + bin];
        const bool passes = entry >= 0 && (kept.words == nullptr || kept.has(row, bin));
        if (!passes) {
            value = complexOf(0.0F, 0.0F);
            continue;
        }
        const cufftComplex gradient = value;
        const cufftComplex share =
            conjugateProduct(filter.keptSpectra[row * filter.entries + entry], gradient);
        sum.x += share.x;
        sum.y += share.y;
        value = filter.scaled(bin, conjugateProduct(weight, gradient));
    }
    if (entry >= 0) {
        const float factor = (filter.alone(bin) ? 1.0F : 2.0F) / static_cast<float>(filter.columns);
        float* to = partial + 2 * (static_cast<std::int64_t>(blockIdx.y) * filter.entries + entry);
        to[0] = factor * sum.x;
        to[1] = factor * sum.y;
    }
}

class SpectralFftBackwardStage : public BackwardStage
{
public:
    SpectralFftBackwardStage(const SpectralFfn& ffn,
                             const StageSize& size,
                             DeviceSpan<const float> filter,
                             DeviceSpan<float> gradient,
                             const Device& device)
        : m_device(device)
        , m_spectra(ffn, size, filter, device)
        , m_gradient(gradient.data())
        , m_kept(device.memory(),
                 static_cast<std::size_t>(size.tokens * m_spectra.filter().entries))
        , m_parts(device, size.tokens, m_spectra.filter().bins)
        , m_partial(device.memory(),
                    static_cast<std::size_t>(2 * m_parts.count * m_spectra.filter().entries))
    {
        if (ffn.selection == BinSelection::topK) {
            const std::int64_t words = wordsOf(m_spectra.filter().bins);
            m_chosen = DeviceBuffer<unsigned>(device.memory(),
                                              static_cast<std::size_t>(size.tokens * words));
            m_chosenBits = {m_chosen.data(), words};
        }
        m_spectra.keep(m_kept.data(), m_chosen.data());
    }

    void save(const float* x, float* y) override { m_spectra.run(x, y); }

    void run(const float* dy, float* dx) override
    {
        const Filter& filter = m_spectra.filter();
        m_spectra.toBins(dy);
        launch(m_device,
               m_parts.grid(filter.bins),
               kColumnsPerBlock,
               0,
               &filterGradients,
               filter,
               m_chosenBits,
               m_parts.rows,
               m_parts.rowsPerPart,
               m_partial.data());
        addParts(m_device,
                 m_partial.data(),
                 m_parts.count,
                 std::int64_t{2} * filter.entries,
                 m_gradient);
        m_spectra.toFeatures(dx);
    }

private:
    const Device& m_device;
    FilteredSpectra m_spectra;
    float* m_gradient;
    DeviceBuffer<cufftComplex> m_kept; ///< [tokens, entries]: bins of x before the filter
    RowParts m_parts;
    DeviceBuffer<float> m_partial;
    DeviceBuffer<unsigned> m_chosen;
    KeptBits m_chosenBits;
};

} // namespace

std::unique_ptr<Stage> makeSpectralFft(const SpectralFfn& ffn,
                                       const StageSize& size,
                                       DeviceSpan<const float> filter,
                                       const Device& device)
{
    return std::make_unique<SpectralFftStage>(ffn, size, filter, device);
}

std::unique_ptr<BackwardStage> makeSpectralFftBackward(const SpectralFfn& ffn,
                                                       const StageSize& size,
                                                       DeviceSpan<const float> filter,
                                                       DeviceSpan<float> gradient,
                                                       const Device& device)
{
    return std::make_unique<SpectralFftBackwardStage>(ffn, size, filter, gradient, device);
}

} // namespace flopsmith::cuda
