// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn/channels/composed.h"
#include "core/kernels/cuda/ffn/token_feedback/token_feedback_steps.cuh"

namespace flopsmith::cuda {
namespace {

// Each token's gradients of the gates: indexed by picked feature if all tokens use one window, else
// by channel with zeros for features not picked.
struct GateShares
{
    int width = 1;
    float* ofScale = nullptr; ///< [tokens, width]
    float* ofShift = nullptr;

    __device__ std::int64_t at(const PickedFeatures& picked,
                               std::int64_t token,
                               std::int64_t k,
                               int feature) const
    {
        return token * width + (picked.lists == nullptr ? k : feature);
    }
};

// From the gradient of a step's output: dv and the gradients of the gates' inputs.
template <class To>
struct GatesBackward
{
    PickedFeatures picked;
    FeedbackGates gates;
    const float* phi;
    const float* v;
    const float* gradient;
    To* dv;
    GateShares shares;

    template <int N>
    __device__ void operator()(std::int64_t token, std::int64_t k, Width<N>) const
    {
        const std::int64_t from = token * picked.kept + k;
        Pack<float, N> back;
        for (int i = 0; i < N; ++i) {
            const int feature = picked.feature(token, k + i);
            const float dNow = gradient[token * picked.columns + feature];
            const float z = gates(feature, phi[from + i]);
            const float dGate = dNow * v[from + i] * (z * (1.0F - z));
            const std::int64_t at = shares.at(picked, token, k + i, feature);
            shares.ofScale[at] = dGate * phi[from + i];
            shares.ofShift[at] = dGate;
            back.at[i] = dNow * z;
        }
        store<N>(dv + from, back);
    }
};

// gradient_S ← gradient_S + dx_S, plus the gradient through gates that read the same features.
struct FeaturesBackward
{
    PickedFeatures picked;
    const float* scale; ///< null if the gates read the previous token
    const float* dx;
    GateShares shares;
    float* gradient;

    template <int N>
    __device__ void operator()(std::int64_t token, std::int64_t k, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            const int feature = picked.feature(token, k + i);
            float sum = dx[token * picked.kept + k + i];
            if (scale != nullptr) {
                const float dGate = shares.ofShift[shares.at(picked, token, k + i, feature)];
                sum = fmaf(dGate, scale[feature], sum);
            }
            gradient[token * picked.columns + feature] += sum;
        }
    }
};

// Adds the gradient through the gates to the previous token, if the sequence has one.
struct BeforeBackward
{
    PickedFeatures picked;
    const float* scale;
    std::int64_t sequence;
    GateShares shares;
    float* gradient;

    template <int N>
    __device__ void operator()(std::int64_t token, std::int64_t k, Width<N>) const
    {
        if (token % sequence == 0) {
            return;
        }
        for (int i = 0; i < N; ++i) {
            const int feature = picked.feature(token, k + i);
            const float dGate = shares.ofShift[shares.at(picked, token, k + i, feature)];
            gradient[(token - 1) * picked.columns + feature] += dGate * scale[feature];
        }
    }
};

// to[(start + i) mod columns] (+)= from[i]
struct Collecting
{
    const float* from;
    int start;
    int columns;
    Into into;
    float* to;

    template <int N>
    __device__ void operator()(std::int64_t, std::int64_t column, Width<N>) const
    {
        for (int i = 0; i < N; ++i) {
            const int at = (static_cast<int>(column) + i + start) % columns;
            to[at] = (into == Into::accumulate ? to[at] : 0.0F) + from[column + i];
        }
    }
};

class TokenFeedbackBackwardStage : public BackwardStage
{
public:
    TokenFeedbackBackwardStage(const TokenFeedbackFfn& ffn,
                               const StageSize& size,
                               DeviceWeights weights,
                               DeviceGradients gradients,
                               const Device& device)
        : m_device(device)
        , m_ffn(ffn)
        , m_size(size)
        , m_kept(ffn.keptFeatures(size.dModel))
        , m_gradients(gradients)
        , m_feedback(ffn, size, weights, device)
        , m_gradient(device.memory(), static_cast<std::size_t>(size.activations()))
        , m_dv(device, static_cast<std::size_t>(size.tokens * m_kept))
        , m_du(device, static_cast<std::size_t>(size.tokens * ffn.rank))
        , m_dx(device.memory(), static_cast<std::size_t>(size.tokens * m_kept))
        , m_biasSums(device, size.tokens, ffn.rank)
    {
        const int width = ffn.window == FeatureWindow::topK ? size.dModel : m_kept;
        const auto elements = static_cast<std::size_t>(size.tokens * width);
        m_scaleShares = DeviceBuffer<float>(device.memory(), elements);
        m_shiftShares = DeviceBuffer<float>(device.memory(), elements);
        m_shares = {width, m_scaleShares.data(), m_shiftShares.data()};
        m_gateSums = ColumnSums(device, size.tokens, width);
        const int longest = width > ffn.rank ? width : ffn.rank;
        m_sums = DeviceBuffer<float>(device.memory(), static_cast<std::size_t>(longest));
        for (int step = 0; step < ffn.steps; ++step) {
            m_memory.emplace_back(ffn, size, device);
        }
    }

    void save(const float* x, float* y) override
    {
        copy(x, y);
        for (int step = 0; step < m_ffn.steps; ++step) {
            m_feedback.run(step, y, m_memory[static_cast<std::size_t>(step)]);
        }
        subtract(y, x, y);
    }

    void run(const float* dy, float* dx) override
    {
        for (int set = 0; set < m_ffn.weightSets(); ++set) {
            clear(gradient(FeedbackTensor::gateScale, set));
            clear(gradient(FeedbackTensor::gateShift, set));
        }
        copy(dy, m_gradient.data());
        for (int step = m_ffn.steps - 1; step >= 0; --step) {
            runStep(step);
        }
        subtract(m_gradient.data(), dy, dx);
    }

private:
    DeviceSpan<float> gradient(FeedbackTensor which, int step) const
    {
        return m_gradients[indexOf(m_ffn, which, step)];
    }

    // Steps with shared weights accumulate their gradients.
    Into into(int step) const
    {
        const bool isFirst = m_ffn.stepWeights == StepWeights::perStep || step == m_ffn.steps - 1;
        return isFirst ? Into::overwrite : Into::accumulate;
    }

    void clear(DeviceSpan<float> values) const
    {
        check(cudaMemsetAsync(values.data(), 0, values.size() * sizeof(float), m_device.stream()),
              "write zeros");
    }

    void copy(const float* from, float* to) const
    {
        check(cudaMemcpyAsync(to,
                              from,
                              static_cast<std::size_t>(m_size.activations()) * sizeof(float),
                              cudaMemcpyDeviceToDevice,
                              m_device.stream()),
              "copy activations");
    }

    void subtract(const float* from, const float* minus, float* to) const
    {
        ChannelPass pass = emptyPass(m_size);
        addTerm(pass, from);
        pass.minus = minus;
        pass.to = to;
        cuda::run(m_device, pass, nullptr);
    }

    void runStep(int step)
    {
        const FeedbackMemory& memory = m_memory[static_cast<std::size_t>(step)];
        const PickedFeatures picked = m_feedback.picked(step, memory);
        const Destination dv = m_dv.rows(m_kept);
        if (dv.element == Element::bfloat16) {
            runGates(step, memory, static_cast<__nv_bfloat16*>(dv.first));
        } else {
            runGates(step, memory, static_cast<float*>(dv.first));
        }
        const bool window = picked.lists == nullptr;
        const Operand ofScale = operandAt(m_shares.ofScale, m_shares.width);
        const Operand ofShift = operandAt(m_shares.ofShift, m_shares.width);
        const int start = window ? picked.start : 0;
        collect(m_gateSums,
                ofScale,
                start,
                Into::accumulate,
                gradient(FeedbackTensor::gateScale, step));
        collect(m_gateSums,
                ofShift,
                start,
                Into::accumulate,
                gradient(FeedbackTensor::gateShift, step));
        runProducts(step, memory);
        runFeatures(step, picked);
    }

    template <class To>
    void runGates(int step, const FeedbackMemory& memory, To* dv)
    {
        const PickedFeatures picked = m_feedback.picked(step, memory);
        if (picked.lists != nullptr) {
            clear(m_scaleShares.span());
            clear(m_shiftShares.span());
        }
        forEachElement(m_device,
                       m_size.tokens,
                       m_kept,
                       GatesBackward<To>{picked,
                                         m_feedback.gates(step),
                                         memory.phi.data(),
                                         memory.v.data(),
                                         m_gradient.data(),
                                         dv,
                                         m_shares});
    }

    // Backward pass of v = act(x_S·A + a)·B.
    void runProducts(int step, const FeedbackMemory& memory)
    {
        const std::int64_t tokens = m_size.tokens;
        const int r = m_ffn.rank;
        const Destination dv = m_dv.rows(m_kept);
        const Destination du = m_du.rows(r);
        multiply(m_device,
                 {r, tokens, m_kept},
                 memory.u.rows(r),
                 Stored::transposed,
                 dv,
                 Stored::straight,
                 destinationAt(gradient(FeedbackTensor::up, step).data(), m_kept),
                 into(step));
        m_feedback.up(step).productBackward(dv, tokens, du);
        activateBackward(m_device, m_ffn.activation, tokens, r, memory.before.rows(r), du, du);
        multiply(m_device,
                 {m_kept, tokens, r},
                 memory.x.rows(m_kept),
                 Stored::transposed,
                 du,
                 Stored::straight,
                 destinationAt(gradient(FeedbackTensor::down, step).data(), r),
                 into(step));
        collect(m_biasSums, du, 0, into(step), gradient(FeedbackTensor::downBias, step));
        m_feedback.down(step).productBackward(du, tokens, destinationAt(m_dx.data(), m_kept));
    }

    void runFeatures(int step, const PickedFeatures& picked)
    {
        const bool self = m_ffn.feedback == Feedback::self;
        const float* scale = m_feedback.gates(step).scale;
        forEachElement(
            m_device,
            m_size.tokens,
            m_kept,
            FeaturesBackward{
                picked, self ? scale : nullptr, m_dx.data(), m_shares, m_gradient.data()});
        if (!self) {
            forEachElement(
                m_device,
                m_size.tokens,
                m_kept,
                BeforeBackward{picked, scale, m_size.sequence, m_shares, m_gradient.data()});
        }
    }

    void collect(ColumnSums& sums, const Operand& from, int start, Into into, DeviceSpan<float> to)
    {
        sums.run(from, m_size.tokens, m_sums.data());
        const auto columns = static_cast<int>(to.size());
        forEachElement(
            m_device, 1, from.stride, Collecting{m_sums.data(), start, columns, into, to.data()});
    }

    const Device& m_device;
    TokenFeedbackFfn m_ffn;
    StageSize m_size;
    int m_kept;
    DeviceGradients m_gradients;
    FeedbackSteps m_feedback;
    DeviceBuffer<float> m_gradient; ///< [tokens, d], of the current step's output
    OperandBuffer m_dv;
    OperandBuffer m_du;
    DeviceBuffer<float> m_dx;
    ColumnSums m_biasSums;
    DeviceBuffer<float> m_scaleShares;
    DeviceBuffer<float> m_shiftShares;
    GateShares m_shares;
    ColumnSums m_gateSums;
    DeviceBuffer<float> m_sums;
    std::vector<FeedbackMemory> m_memory; ///< of the steps of the last save()
};

} // namespace

std::unique_ptr<BackwardStage> makeBackwardStage(const TokenFeedbackFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return std::make_unique<TokenFeedbackBackwardStage>(ffn, size, weights, gradients, device);
}

} // namespace flopsmith::cuda
