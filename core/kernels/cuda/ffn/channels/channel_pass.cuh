// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/ffn/channels/micro_refine.cuh"
#include "core/kernels/cuda/ffn/channels/polynomial.cuh"
#include "core/kernels/cuda/plan/selection.cuh"

#include <cstdint>
#include <vector>

// One fused pass over the activations for everything in a composition that needs no matrix:
// per-channel stages, gates, sums and differences. Each token's row is read once, stays in shared
// memory during selection and stages, and is written once.
namespace flopsmith::cuda {

/// σ(g): one value, or one per channel; 1 if there is no gate.
struct OpenGate
{
    const float* first = nullptr;
    std::int64_t stride = 0;

    __device__ float operator()(std::int64_t channel) const
    {
        return first == nullptr ? 1.0F : first[channel * stride];
    }
};

/// How a stage selects its channels: a fixed list, or the largest in each of `groups` contiguous
/// groups.
struct ChannelChoice
{
    KeptBits fixed; ///< empty: the largest are chosen
    int groups = 1;
    const int* keptOfGroups = nullptr; ///< [groups]

    __device__ int groupStart(int group, int columns) const
    {
        return static_cast<int>(static_cast<std::int64_t>(columns) * group / groups);
    }
    /// The largest g with groupStart(g) ≤ channel.
    __device__ int groupOf(int channel, int columns) const
    {
        return static_cast<int>(((channel + 1LL) * groups - 1) / columns);
    }
};

/// A polynomial or one refinement of the kept channels, 0 elsewhere, behind a gate.
struct ChannelStage
{
    enum class Kind { polynomial, microRefine };

    Kind kind = Kind::polynomial;
    PolynomialValues polynomial;
    RefinementValues refinement;
    ChannelChoice choice;
    OpenGate gate;
    unsigned* chosen = nullptr; ///< [rows, words]: receives the selection; null: not saved

    __device__ float gated(int channel, float x) const
    {
        const float value = kind == Kind::polynomial ? polynomialValue(polynomial, channel, x)
                                                     : refinement(channel, x);
        return gate(channel) * value;
    }
};

/// The output of a stage of another kind, [rows, columns].
struct GatedTerm
{
    const float* values = nullptr;
    OpenGate gate;
};

/// parallel    to = Σ terms + Σ stages(x)
/// sequential  z = x + Σ terms, then z ← z + stage(z) one after the other; to = z, or z − minus
struct ChannelPass
{
    static constexpr int kMaxTerms = 4;
    static constexpr int kMaxStages = 4;

    std::int64_t rows = 0;
    int columns = 0;
    bool sequential = false;
    const float* x = nullptr;
    const float* minus = nullptr;
    float* to = nullptr; ///< may be x, minus or the values of a term
    int termCount = 0;
    int stageCount = 0;
    GatedTerm terms[kMaxTerms];
    ChannelStage stages[kMaxStages];
};

/// Bytes of global scratch that a pass over rows of this width needs: 0 if a row fits into shared
/// memory.
std::size_t rowMemoryBytes(const Device& device, std::int64_t rows, int columns);

void run(const Device& device, const ChannelPass& pass, float* rowMemory);

/// A fixed list of `columns` channels as bits.
DeviceBuffer<unsigned> listAsBits(const Device& device,
                                  const std::vector<int>& channels,
                                  int columns);

} // namespace flopsmith::cuda
