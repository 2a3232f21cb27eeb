// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/ffn/channels/gates.h"
#include "core/kernels/cpu/select/channels.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

using BackwardStages = std::vector<std::unique_ptr<BackwardStage>>;

// How many arrays of all tokens hold saved activations and scratch.
struct Arrays
{
    std::size_t outputs; ///< of every stage that has a gate
    std::size_t inputs; ///< of every stage but the first, in sequence
    std::size_t scratch = 3;
    std::size_t dropout; ///< the mask, and dy after it

    explicit Arrays(const ComposedFfn& ffn)
        : outputs(ffn.gate == GateKind::none ? 0 : ffn.stages.size())
        , inputs(ffn.mode == CompositionMode::parallel || ffn.stages.empty()
                     ? 0
                     : ffn.stages.size() - 1)
        , dropout(ffn.drops() && !ffn.stages.empty() ? 2 : 0)
    {}

    std::size_t count() const { return outputs + inputs + scratch + dropout; }
};

class ComposedBackwardStage : public BackwardStage
{
public:
    ComposedBackwardStage(const ComposedFfn& ffn,
                          const StageSize& size,
                          WeightView<float> weights,
                          std::span<float> gateGradient,
                          BackwardStages stages)
        : m_parallel(ffn.mode == CompositionMode::parallel)
        , m_size(size)
        , m_dModel(static_cast<std::size_t>(size.dModel))
        , m_elements(static_cast<std::size_t>(size.activations()))
        , m_gates(ffn, size.dModel, weights)
        , m_mask(ffn)
        , m_gateGradient(gateGradient)
        , m_stages(std::move(stages))
        , m_arrays(ffn)
        , m_values(m_arrays.count() * m_elements)
        , m_sums(sumsSize(ffn, size))
    {}

    void weightsChanged() override
    {
        for (const std::unique_ptr<BackwardStage>& stage : m_stages) {
            stage->weightsChanged();
        }
    }

    void save(const float* x, float* y) override
    {
        m_gates.update();
        const float* z = x;
        for (std::size_t s = 0; s < m_stages.size(); ++s) {
            float* output = m_arrays.outputs == 0 ? scratch(0) : outputOf(s);
            m_stages[s]->save(z, output);
            const float* base = m_parallel ? (s == 0 ? nullptr : y) : z;
            const bool last = s + 1 == m_stages.size();
            float* sum = m_parallel || last ? y : inputOf(s + 1);
            eachToken([&](std::size_t at) {
                gateRow(m_gates,
                        s,
                        base == nullptr ? nullptr : base + at,
                        output + at,
                        sum + at,
                        m_dModel);
                if (!m_parallel && last) {
                    subtractRow(sum + at, x + at, sum + at, m_dModel);
                }
            });
            z = m_parallel ? x : sum;
        }
        if (m_stages.empty()) {
            std::fill_n(y, m_elements, 0.0F);
        }
        if (m_arrays.dropout > 0) {
            drawMask();
            multiplyByMask(y, y);
        }
    }

    void run(const float* dy, float* dx) override
    {
        if (m_arrays.dropout > 0) {
            multiplyByMask(dy, dropped());
            dy = dropped();
        }
        const float* dz = dy;
        for (std::size_t s = m_stages.size(); s-- > 0;) {
            const float* dOutput = dz;
            if (m_arrays.outputs > 0) {
                gateGradient(s, dz);
                eachToken([&](std::size_t at) {
                    gateRow(m_gates, s, nullptr, dz + at, scratch(0) + at, m_dModel);
                });
                dOutput = scratch(0);
            }
            const bool firstOfSum = m_parallel && s + 1 == m_stages.size();
            float* back = firstOfSum ? dx : scratch(1);
            m_stages[s]->run(dOutput, back);
            if (m_parallel) {
                addTo(dx, firstOfSum ? nullptr : back, dx);
            } else {
                addTo(dz, back, scratch(2));
                dz = scratch(2);
            }
        }
        eachToken([&](std::size_t at) {
            if (m_stages.empty()) {
                std::fill_n(dx + at, m_dModel, 0.0F);
            } else if (!m_parallel) {
                subtractRow(dz + at, dy + at, dx + at, m_dModel);
            }
        });
    }

private:
    static std::size_t sumsSize(const ComposedFfn& ffn, const StageSize& size)
    {
        return ffn.gate == GateKind::none ? 0
                                          : static_cast<std::size_t>(size.threads.count)
                * padded(static_cast<std::size_t>(size.dModel));
    }

    float* array(std::size_t i) { return m_values.data() + i * m_elements; }
    float* scratch(std::size_t i) { return array(i); }
    float* outputOf(std::size_t stage) { return array(m_arrays.scratch + stage); }

    float* inputOf(std::size_t stage)
    {
        return array(m_arrays.scratch + m_arrays.outputs + stage - 1);
    }

    float* mask() { return array(m_arrays.scratch + m_arrays.outputs + m_arrays.inputs); }
    float* dropped() { return mask() + m_elements; }

    void drawMask()
    {
        float* to = mask();
        eachToken([&](std::size_t at) {
            for (std::size_t i = at; i < at + m_dModel; ++i) {
                to[i] = static_cast<float>(m_mask.factor(i));
            }
        });
    }

    void multiplyByMask(const float* from, float* to)
    {
        const float* factors = mask();
        eachToken([&](std::size_t at) {
            combine(
                from + at, factors + at, to + at, m_dModel, [](Lanes v, Lanes m) { return v * m; });
        });
    }

    Threads busyThreads() const { return threadsFor(m_size.threads, m_size.activations()); }

    // work(offset of a token) on all threads.
    template <class Work>
    void eachToken(const Work& work) const
    {
        const Threads busy = busyThreads();
        onThreads(busy, [&](int part) {
            const Range mine = partOf(m_size.tokens, busy.count, part);
            for (std::int64_t t = mine.first; t < mine.last; ++t) {
                work(static_cast<std::size_t>(t) * m_dModel);
            }
        });
    }

    void addTo(const float* a, const float* b, float* sum) const
    {
        if (b != nullptr) {
            eachToken([&](std::size_t at) { addRow(a + at, b + at, sum + at, m_dModel); });
        }
    }

    // dg = Σ dz ⊙ output · σ·(1 − σ). Each thread sums its tokens; the sums are added in order.
    void gateGradient(std::size_t stage, const float* dz)
    {
        const Threads busy = busyThreads();
        const float* output = outputOf(stage);
        onThreads(busy, [&](int part) {
            float* sums = sumsOf(part);
            std::fill_n(sums, m_dModel, 0.0F);
            const Range mine = partOf(m_size.tokens, busy.count, part);
            for (std::int64_t t = mine.first; t < mine.last; ++t) {
                const std::size_t at = static_cast<std::size_t>(t) * m_dModel;
                addProductRow(dz + at, output + at, sums, m_dModel);
            }
        });
        float* total = sumsOf(0);
        for (int part = 1; part < busy.count; ++part) {
            addRow(total, sumsOf(part), total, m_dModel);
        }
        const std::span<const float> factors = m_gates.factors(stage);
        float* gradient = m_gateGradient.data() + stage * factors.size();
        if (factors.size() < m_dModel) { // one gate for all channels
            total[0] = sumOfRow(total);
        }
        for (std::size_t i = 0; i < factors.size(); ++i) {
            gradient[i] = total[i] * (factors[i] * (1.0F - factors[i]));
        }
    }

    float sumOfRow(const float* row) const
    {
        Lanes sum{};
        along(
            m_dModel,
            [&](std::size_t i) { sum += load(row + i); },
            [&](std::size_t i, std::size_t n) { sum += loadSome(row + i, n); });
        return sumOf(sum);
    }

    float* sumsOf(int part)
    {
        return m_sums.data() + static_cast<std::size_t>(part) * padded(m_dModel);
    }

    bool m_parallel;
    StageSize m_size;
    std::size_t m_dModel;
    std::size_t m_elements;
    Gates m_gates;
    DropoutMask m_mask;
    std::span<float> m_gateGradient;
    BackwardStages m_stages;
    Arrays m_arrays;
    Buffer m_values; ///< scratch, outputs, inputs, mask: each [tokens, d]
    Buffer m_sums; ///< per thread, d
};

} // namespace

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const ComposedFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    BackwardStages stages;
    std::size_t tensors = Gates::tensors(ffn);
    const std::span<float> gateGradient = tensors == 0 ? std::span<float>() : gradients[0];
    for (const FfnStage& stage : ffn.stages) {
        FLOPSMITH_TRY(std::unique_ptr<BackwardStage> made,
                      makeBackwardStage(
                          stage.spec, size, weights.subspan(tensors), gradients.subspan(tensors)));
        stages.push_back(std::move(made));
        tensors += flopsmith::weights(stage.spec, size.dModel).size();
    }
    return std::unique_ptr<BackwardStage>(std::make_unique<ComposedBackwardStage>(
        ffn, size, weights, gateGradient, std::move(stages)));
}

} // namespace flopsmith::cpu
