// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn/channels/composed.h"

#include "core/kernels/cuda/block/activation.cuh"
#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/ffn/channels/channel_stage.h"

#include <algorithm>
#include <optional>

namespace flopsmith::cuda {
namespace {

struct GateOpening
{
    const float* gates;
    float* opened;

    template <int N>
    __device__ void operator()(std::int64_t, std::int64_t column, Width<N>) const
    {
        Pack<float, N> values = load<N>(gates + column);
        for (int i = 0; i < N; ++i) {
            values.at[i] = sigmoid(values.at[i]);
        }
        store<N>(opened + column, values);
    }
};

// The stage as a per-channel stage, if it is one.
std::optional<PreparedChannelStage> channelStage(const FfnSpec& spec,
                                                 int dModel,
                                                 DeviceWeights weights,
                                                 const Device& device)
{
    if (const auto* polynomial = get_if<PolynomialFfn>(&spec)) {
        return PreparedChannelStage(*polynomial, dModel, weights, device);
    }
    const auto* refine = get_if<MicroRefineFfn>(&spec);
    if (refine != nullptr && refine->mode == MicroRefineMode::groups) {
        return PreparedChannelStage(*refine, dModel, weights, device);
    }
    return std::nullopt;
}

// Some stages with matrices or neighbouring tokens, then one fused pass that adds up their outputs
// and runs the per-channel stages.
struct Segment
{
    struct Whole
    {
        std::unique_ptr<Stage> stage;
        OpenGate gate;
    };

    std::vector<Whole> wholes;
    std::vector<ChannelStage> channels;
};

class ComposedStage : public Stage
{
public:
    ComposedStage(const ComposedFfn& ffn,
                  const StageSize& size,
                  DeviceWeights weights,
                  const Device& device)
        : m_device(device)
        , m_sequential(ffn.mode == CompositionMode::sequential)
        , m_size(size)
        , m_gates(ffn, size.dModel, weights, device)
        , m_rowMemory(device.memory(), rowMemoryBytes(device, size.tokens, size.dModel))
    {
        const std::vector<TensorRange> tensors = tensorsOfStages(ffn, size.dModel);
        for (std::size_t i = 0; i < ffn.stages.size(); ++i) {
            add(ffn.stages[i].spec,
                weights.subspan(tensors[i].first, tensors[i].count),
                m_gates.ofStage(i));
        }
        std::size_t buffers = 0;
        for (std::size_t i = 0; i < m_segments.size(); ++i) {
            const std::size_t own = i == 0 ? 1 : 0; // the first stage writes into y
            const std::size_t count = m_segments[i].wholes.size();
            buffers = std::max(buffers, m_sequential || count < own ? 0 : count - own);
        }
        if (m_sequential && m_segments.size() > 1) {
            buffers = 1;
        }
        for (std::size_t i = 0; i < buffers; ++i) {
            m_buffers.emplace_back(device.memory(), static_cast<std::size_t>(size.activations()));
        }
    }

    void run(const float* x, float* y) override
    {
        if (m_segments.empty()) {
            check(cudaMemsetAsync(y,
                                  0,
                                  static_cast<std::size_t>(m_size.activations()) * sizeof(float),
                                  m_device.stream()),
                  "write zeros");
        } else if (m_sequential) {
            runInSequence(x, y);
        } else {
            runSideBySide(x, y);
        }
    }

private:
    void add(const FfnSpec& spec, DeviceWeights weights, const OpenGate& gate)
    {
        if (auto stage = channelStage(spec, m_size.dModel, weights, m_device)) {
            stage->setGate(gate);
            segmentForChannels().channels.push_back(stage->descriptor());
            m_channelStages.push_back(std::move(*stage));
        } else {
            segmentForWhole().wholes.push_back(
                {cuda::makeStage(spec, m_size, weights, m_device), gate});
        }
    }

    // In parallel mode any segment below kMaxTerms will do; all but the first use one term for y.
    Segment& segmentForWhole()
    {
        for (std::size_t i = 0; i < m_segments.size() && !m_sequential; ++i) {
            const std::size_t maxWholes = ChannelPass::kMaxTerms - (i == 0 ? 0 : 1);
            if (m_segments[i].wholes.size() < maxWholes) {
                return m_segments[i];
            }
        }
        return m_segments.emplace_back();
    }

    Segment& segmentForChannels()
    {
        const auto hasRoom = [](const Segment& segment) {
            return segment.channels.size() < ChannelPass::kMaxStages;
        };
        if (m_sequential) {
            return !m_segments.empty() && hasRoom(m_segments.back()) ? m_segments.back()
                                                                     : m_segments.emplace_back();
        }
        const auto found = std::find_if(m_segments.begin(), m_segments.end(), hasRoom);
        return found != m_segments.end() ? *found : m_segments.emplace_back();
    }

    ChannelPass passOf(const Segment& segment) const
    {
        ChannelPass pass = emptyPass(m_size);
        pass.stageCount = static_cast<int>(segment.channels.size());
        std::copy(segment.channels.begin(), segment.channels.end(), pass.stages);
        return pass;
    }

    void runPass(const ChannelPass& pass)
    {
        cuda::run(m_device, pass, reinterpret_cast<float*>(m_rowMemory.data()));
    }

    // y = Σ of the stages; each segment but the first accumulates.
    void runSideBySide(const float* x, float* y)
    {
        for (std::size_t i = 0; i < m_segments.size(); ++i) {
            ChannelPass pass = passOf(m_segments[i]);
            pass.x = x;
            pass.to = y;
            if (i > 0) {
                addTerm(pass, y);
            }
            std::size_t buffer = 0;
            for (const Segment::Whole& whole : m_segments[i].wholes) {
                const bool intoY = i == 0 && pass.termCount == 0;
                float* to = intoY ? y : m_buffers[buffer++].data();
                whole.stage->run(x, to);
                addTerm(pass, to, whole.gate);
            }
            const bool isSum = pass.termCount > 1 || pass.stageCount > 0;
            if (isSum || pass.terms[0].gate.first != nullptr) {
                runPass(pass);
            }
        }
    }

    // z ← z + stage(z); y is scratch for the output of a stage until the last pass overwrites it.
    void runInSequence(const float* x, float* y)
    {
        const float* z = x;
        for (std::size_t i = 0; i < m_segments.size(); ++i) {
            const bool isLast = i + 1 == m_segments.size();
            ChannelPass pass = passOf(m_segments[i]);
            pass.sequential = true;
            pass.x = z;
            pass.to = isLast ? y : m_buffers[0].data();
            pass.minus = isLast ? x : nullptr;
            for (const Segment::Whole& whole : m_segments[i].wholes) {
                whole.stage->run(z, y);
                addTerm(pass, y, whole.gate);
            }
            runPass(pass);
            z = pass.to;
        }
    }

    const Device& m_device;
    bool m_sequential;
    StageSize m_size;
    OpenedGates m_gates;
    DeviceBuffer<std::byte> m_rowMemory;
    std::vector<PreparedChannelStage> m_channelStages;
    std::vector<Segment> m_segments; ///< in sequence, at most one whole stage in each
    std::vector<DeviceBuffer<float>> m_buffers;
};

} // namespace

OpenedGates::OpenedGates(const ComposedFfn& ffn,
                         int dModel,
                         DeviceWeights weights,
                         const Device& device)
    : m_width(ffn.gate == GateKind::none ? 0 : (ffn.gate == GateKind::scalar ? 1 : dModel))
    , m_stride(ffn.gate == GateKind::channel ? 1 : 0)
    , m_values(device.memory(), static_cast<std::size_t>(m_width) * ffn.stages.size())
{
    forEachElement(
        device,
        m_values.size() == 0 ? 0 : 1,
        static_cast<std::int64_t>(m_values.size()),
        GateOpening{m_values.size() == 0 ? nullptr : weights[0].data(), m_values.data()});
}

OpenGate OpenedGates::ofStage(std::size_t stage) const
{
    if (m_width == 0) {
        return {};
    }
    return {m_values.data() + static_cast<std::int64_t>(stage) * m_width, m_stride};
}

std::vector<TensorRange> tensorsOfStages(const ComposedFfn& ffn, int dModel)
{
    std::vector<TensorRange> all;
    std::size_t first = ffn.gate == GateKind::none ? 0 : 1;
    for (const FfnStage& stage : ffn.stages) {
        all.push_back({first, flopsmith::weights(stage.spec, dModel).size()});
        first += all.back().count;
    }
    return all;
}

ChannelPass emptyPass(const StageSize& size)
{
    ChannelPass pass;
    pass.rows = size.tokens;
    pass.columns = size.dModel;
    return pass;
}

std::unique_ptr<Stage> makeStage(const ComposedFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return std::make_unique<ComposedStage>(ffn, size, weights, device);
}

} // namespace flopsmith::cuda
