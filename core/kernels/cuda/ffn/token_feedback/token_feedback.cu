// SPDX-License-Identifier: MIT
#include "core/ffn/token_feedback.h"

#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/ffn/channels/composed.h"
#include "core/kernels/cuda/ffn/token_feedback/token_feedback_steps.cuh"
#include "core/kernels/cuda/select/selection.cuh"

namespace flopsmith::cuda {
namespace {

// One block per row lists the largest features, ascending. Dynamic shared memory holds one bit per
// feature and, per word, the number of bits set before it.
__global__ void listLargest(const float* rows, int columns, int kept, int* lists)
{
    const float* row = rows + static_cast<std::int64_t>(blockIdx.x) * columns;
    int* list = lists + static_cast<std::int64_t>(blockIdx.x) * kept;
    const int words = (columns + kWordBits - 1) / kWordBits;
    auto* bits = sharedMemory<unsigned>();
    unsigned* before = bits + words;
    BlockTeam block;
    const auto key = [&](int place) { return magnitudeKey(row[place]); };
    const Threshold threshold = thresholdOfLargest(block, columns, kept, key);
    writeBits(bits, columns, [&](int place) { return threshold.keeps(key(place), place); });
    __syncthreads();
    for (int word = block.thread(); word < words; word += block.size()) {
        unsigned count = 0;
        for (int i = 0; i < word; ++i) {
            count += static_cast<unsigned>(__popc(bits[i]));
        }
        before[word] = count;
    }
    __syncthreads();
    for (int place = block.thread(); place < columns; place += block.size()) {
        const unsigned word = bits[place / kWordBits];
        const unsigned bit = 1U << (place % kWordBits);
        if ((word & bit) != 0) {
            const auto earlier = static_cast<unsigned>(__popc(word & (bit - 1U)));
            list[before[place / kWordBits] + earlier] = place;
        }
    }
}

// Gathers x_S and φ of every token.
template <class To>
struct Picking
{
    PickedFeatures picked;
    const float* now;
    std::int64_t sequence; ///< 0: φ is x itself, else x of the previous token of the sequence
    To* x;
    float* phi;

    template <int N>
    __device__ void operator()(std::int64_t token, std::int64_t k, Width<N>) const
    {
        Pack<float, N> values;
        Pack<float, N> opening;
        for (int i = 0; i < N; ++i) {
            const std::int64_t at = token * picked.columns + picked.feature(token, k + i);
            values.at[i] = now[at];
            opening.at[i] = values.at[i];
            if (sequence > 0) {
                opening.at[i] = token % sequence == 0 ? 0.0F : now[at - picked.columns];
            }
        }
        store<N>(x + token * picked.kept + k, values);
        store<N>(phi + token * picked.kept + k, opening);
    }
};

// x_S ← x_S + z ⊙ v
struct Refining
{
    PickedFeatures picked;
    FeedbackGates gates;
    const float* phi;
    const float* v;
    float* now;

    template <int N>
    __device__ void operator()(std::int64_t token, std::int64_t k, Width<N>) const
    {
        const Pack<float, N> opening = load<N>(phi + token * picked.kept + k);
        const Pack<float, N> values = load<N>(v + token * picked.kept + k);
        for (int i = 0; i < N; ++i) {
            const int feature = picked.feature(token, k + i);
            float& value = now[token * picked.columns + feature];
            value = fmaf(gates(feature, opening.at[i]), values.at[i], value);
        }
    }
};

class TokenFeedbackStage : public Stage
{
public:
    TokenFeedbackStage(const TokenFeedbackFfn& ffn,
                       const StageSize& size,
                       DeviceWeights weights,
                       const Device& device)
        : m_device(device)
        , m_steps(ffn.steps)
        , m_size(size)
        , m_feedback(ffn, size, weights, device)
        , m_memory(ffn, size, device)
    {}

    // y holds the features between the steps.
    void run(const float* x, float* y) override
    {
        check(cudaMemcpyAsync(y,
                              x,
                              static_cast<std::size_t>(m_size.activations()) * sizeof(float),
                              cudaMemcpyDeviceToDevice,
                              m_device.stream()),
              "copy activations");
        for (int step = 0; step < m_steps; ++step) {
            m_feedback.run(step, y, m_memory);
        }
        ChannelPass difference = emptyPass(m_size);
        addTerm(difference, y);
        difference.minus = x;
        difference.to = y;
        cuda::run(m_device, difference, nullptr);
    }

private:
    const Device& m_device;
    int m_steps;
    StageSize m_size;
    FeedbackSteps m_feedback;
    FeedbackMemory m_memory;
};

} // namespace

FeedbackMemory::FeedbackMemory(const TokenFeedbackFfn& ffn,
                               const StageSize& size,
                               const Device& device)
{
    const auto picked = static_cast<std::size_t>(size.tokens * ffn.keptFeatures(size.dModel));
    const auto between = static_cast<std::size_t>(size.tokens * ffn.rank);
    lists = DeviceBuffer<int>(device.memory(), ffn.window == FeatureWindow::topK ? picked : 0);
    x = OperandBuffer(device, picked);
    phi = DeviceBuffer<float>(device.memory(), picked);
    before = OperandBuffer(device, between);
    u = OperandBuffer(device, between);
    v = DeviceBuffer<float>(device.memory(), picked);
}

FeedbackSteps::FeedbackSteps(const TokenFeedbackFfn& ffn,
                             const StageSize& size,
                             DeviceWeights weights,
                             const Device& device)
    : m_device(device)
    , m_ffn(ffn)
    , m_size(size)
{
    const int s = ffn.keptFeatures(size.dModel);
    for (int set = 0; set < ffn.weightSets(); ++set) {
        const auto of = [&](FeedbackTensor which) { return weights[indexOf(ffn, which, set)]; };
        m_down.emplace_back(
            device, s, ffn.rank, of(FeedbackTensor::down), of(FeedbackTensor::downBias));
        m_up.emplace_back(device, ffn.rank, s, of(FeedbackTensor::up));
        m_gates.push_back(
            {of(FeedbackTensor::gateScale).data(), of(FeedbackTensor::gateShift).data()});
    }
}

PickedFeatures FeedbackSteps::picked(int step, const FeedbackMemory& memory) const
{
    const int d = m_size.dModel;
    return {d, m_ffn.keptFeatures(d), m_ffn.windowStart(step, d), memory.lists.data()};
}

void FeedbackSteps::run(int step, float* now, FeedbackMemory& memory) const
{
    const std::int64_t tokens = m_size.tokens;
    const int d = m_size.dModel;
    const PickedFeatures features = picked(step, memory);
    if (m_ffn.window == FeatureWindow::topK) {
        constexpr int kValuesPerThread = 4;
        launch(m_device,
               static_cast<unsigned>(tokens),
               static_cast<unsigned>(threadsForRow(dividedUp(d, kValuesPerThread))),
               2 * sizeof(unsigned) * static_cast<std::size_t>(wordsOf(d)),
               &listLargest,
               now,
               d,
               features.kept,
               memory.lists.data());
    }
    const std::int64_t sequence = m_ffn.feedback == Feedback::previousToken ? m_size.sequence : 0;
    const Destination x = memory.x.rows(features.kept);
    const auto pick = [&](auto* to) {
        using To = std::remove_pointer_t<decltype(to)>;
        forEachElement(m_device,
                       tokens,
                       features.kept,
                       Picking<To>{features, now, sequence, to, memory.phi.data()});
    };
    if (x.element == Element::bfloat16) {
        pick(static_cast<__nv_bfloat16*>(x.first));
    } else {
        pick(static_cast<float*>(x.first));
    }
    const Destination before = memory.before.rows(m_ffn.rank);
    const Destination u = memory.u.rows(m_ffn.rank);
    down(step).run(x, tokens, before);
    addBiasAndActivate(m_device, m_ffn.activation, nullptr, tokens, m_ffn.rank, before, u);
    up(step).run(u, tokens, destinationAt(memory.v.data(), features.kept));
    forEachElement(m_device,
                   tokens,
                   features.kept,
                   Refining{features, gates(step), memory.phi.data(), memory.v.data(), now});
}

std::unique_ptr<Stage> makeStage(const TokenFeedbackFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return std::make_unique<TokenFeedbackStage>(ffn, size, weights, device);
}

} // namespace flopsmith::cuda
