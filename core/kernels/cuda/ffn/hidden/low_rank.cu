// SPDX-License-Identifier: MIT
#include "core/ffn/factored/low_rank.h"

#include "core/kernels/cuda/ffn/hidden/hidden_stage.h"

namespace flopsmith::cuda {
namespace {

// [tokens, rank] between the factors. Both projections may share one buffer.
using Middle = std::shared_ptr<const OperandBuffer>;

// y = (x·U)·V + b
class LowRankProjection
{
public:
    // backward() reads `middle` as run() wrote it, and writes `dMiddle`.
    LowRankProjection(const Device& device,
                      int in,
                      int rank,
                      int out,
                      std::int64_t tokens,
                      DeviceWeights weights,
                      Middle middle,
                      Middle dMiddle)
        : m_tokens(tokens)
        , m_rank(rank)
        , m_u(device, in, rank, weights[0])
        , m_v(device,
              rank,
              out,
              weights[1],
              weights.size() > 2 ? weights[2] : DeviceSpan<const float>())
        , m_middle(std::move(middle))
        , m_dMiddle(std::move(dMiddle))
    {}

    const float* bias() const { return m_v.bias(); }

    void product(const Operand& x, const Destination& y)
    {
        m_u.product(x, m_tokens, m_middle->rows(m_rank));
        m_v.product(m_middle->rows(m_rank), m_tokens, y);
    }
    void run(const Operand& x, const Destination& y)
    {
        m_u.product(x, m_tokens, m_middle->rows(m_rank));
        m_v.run(m_middle->rows(m_rank), m_tokens, y);
    }

    void prepareBackward(DeviceGradients gradients) { m_gradients = gradients; }
    void backward(const Operand& x, const Operand& dy, const Destination& dx)
    {
        const Destination dMiddle = m_dMiddle->rows(m_rank);
        m_v.backward(m_middle->rows(m_rank), dy, m_tokens, m_gradients[1], dMiddle);
        m_u.backward(x, dMiddle, m_tokens, m_gradients[0], dx);
    }
    DeviceSpan<float> biasGradient() const { return m_gradients[2]; }

private:
    std::int64_t m_tokens;
    int m_rank;
    Linear m_u;
    Linear m_v;
    Middle m_middle;
    Middle m_dMiddle;
    DeviceGradients m_gradients;
};

Middle middleOf(const LowRankFfn& ffn, const StageSize& size, const Device& device)
{
    return std::make_shared<OperandBuffer>(device,
                                           static_cast<std::size_t>(size.tokens * ffn.rank));
}

enum class Pass { forward, backward };

// In a forward pass both projections share one buffer; a backward pass saves both and needs a third
// for the gradient.
HiddenParts<ActivatedUp<LowRankProjection>, LowRankProjection> partsOf(const LowRankFfn& ffn,
                                                                       const StageSize& size,
                                                                       DeviceWeights weights,
                                                                       const Device& device,
                                                                       Pass pass)
{
    const int d = size.dModel;
    const std::size_t each = ffn.bias ? 3 : 2; // tensors: U, V, b
    const bool backward = pass == Pass::backward;
    const Middle ofUp = middleOf(ffn, size, device);
    const Middle ofDown = backward ? middleOf(ffn, size, device) : ofUp;
    const Middle gradient = backward ? middleOf(ffn, size, device) : nullptr;
    return {
        {device,
         ffn.activation,
         size.tokens,
         ffn.dFf,
         {device, d, ffn.rank, ffn.dFf, size.tokens, weights.subspan(0, each), ofUp, gradient}},
        {device, ffn.dFf, ffn.rank, d, size.tokens, weights.subspan(each, each), ofDown, gradient},
        each,
        each};
}

} // namespace

std::unique_ptr<Stage> makeStage(const LowRankFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return makeHiddenStage(
        device, size, ffn.dFf, partsOf(ffn, size, weights, device, Pass::forward));
}

std::unique_ptr<BackwardStage> makeBackwardStage(const LowRankFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return makeHiddenBackwardStage(
        device, size, ffn.dFf, partsOf(ffn, size, weights, device, Pass::backward), gradients);
}

} // namespace flopsmith::cuda
