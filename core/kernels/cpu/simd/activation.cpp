// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/simd/activation.h"

#include "core/kernels/cpu/simd/activation_lanes.h"
#include "core/kernels/cpu/simd/prefetch.h"

namespace flopsmith::cpu {
namespace {

// `count` lanes at values + i plus the bias if there is one.
template <class Load>
Lanes biased(const float* values, const float* bias, std::size_t i, const Load& loadAt)
{
    return bias == nullptr ? loadAt(values + i) : loadAt(values + i) + loadAt(bias + i);
}

} // namespace

void addBiasAndActivate(Activation activation, const float* bias, float* row, std::size_t count)
{
    if (activation == Activation::none && bias == nullptr) {
        return;
    }
    withActivation(activation, [&](const auto& act) {
        along(
            count,
            [&](std::size_t i) { store(row + i, act(biased(row, bias, i, load))); },
            [&](std::size_t i, std::size_t n) {
                const auto some = [n](const float* from) { return loadSome(from, n); };
                storeSome(row + i, act(biased(row, bias, i, some)), n);
            });
    });
}

void finishRows(Activation activation,
                float scale,
                const float* bias,
                const float* gain,
                float* rows,
                std::size_t count,
                std::size_t width)
{
    withActivation(activation, [=](const auto& act) {
        for (std::size_t i = 0; i < count; ++i) {
            const Lanes shift = all(bias[i]);
            const Lanes factor = all(gain[i]);
            for (float* at = rows + i * width; at != rows + (i + 1) * width; at += kLanes) {
                store(at, factor * act(scale * load(at) + shift));
            }
        }
    });
}

void gateRow(Activation activation,
             const GateValues& values,
             const float* gate,
             const float* gateBias,
             float* up,
             const float* upBias,
             std::size_t count)
{
    withGate(activation, values, [&](const auto& gated) {
        inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
            const Lanes before = biased(gate, gateBias, i, loadAt);
            storeAt(up + i, gated(before, biased(up, upBias, i, loadAt)));
        });
    });
}

void activateKeepingSlopes(Activation activation, float* values, float* slopes, std::size_t count)
{
    withActivation(activation, [&](const auto& act) {
        inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
            const auto [value, slope] = act.withSlope(loadAt(values + i));
            storeAt(values + i, value);
            storeAt(slopes + i, slope);
        });
    });
}

void gateKeepingSlopes(Activation activation,
                       const GateValues& values,
                       float* gate,
                       const float* up,
                       float* hidden,
                       float* slopes,
                       std::size_t count)
{
    withGate(activation, values, [&](const auto& gated) {
        inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
            const GatedFeature feature = gated.withSlopes(loadAt(gate + i), loadAt(up + i));
            storeAt(gate + i, feature.activated);
            storeAt(hidden + i, feature.hidden);
            storeAt(slopes + i, feature.slope);
        });
    });
}

void multiplyBySaved(const float* gradient, const float* saved, float* to, std::size_t count)
{
    inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
        prefetchNextPage(saved + i);
        storeAt(to + i, loadAt(gradient + i) * loadAt(saved + i));
    });
}

void multiplyRow(const float* a, const float* b, float* to, std::size_t count)
{
    along(
        count,
        [&](std::size_t i) { store(to + i, load(a + i) * load(b + i)); },
        [&](std::size_t i, std::size_t n) {
            storeSome(to + i, loadSome(a + i, n) * loadSome(b + i, n), n);
        });
}

void tanhRow(float* row, std::size_t count)
{
    transform(row, row, count, [](Lanes x, std::size_t) { return tanh(x); });
}

void sigmoidRow(float* row, std::size_t count)
{
    transform(row, row, count, [](Lanes x, std::size_t) { return sigmoid(x); });
}

void softmaxRow(float* row, std::size_t count)
{
    Lanes largest = all(row[0]);
    along(
        count,
        [&](std::size_t i) { largest = larger(largest, load(row + i)); },
        [&](std::size_t i, std::size_t n) {
            for (std::size_t j = i; j < i + n; ++j) {
                largest = larger(largest, all(row[j]));
            }
        });
    const float max = largestOf(largest);
    transform(row, row, count, [max](Lanes x, std::size_t) { return exp(x - max); });
    Lanes sums{};
    along(
        count,
        [&](std::size_t i) { sums += load(row + i); },
        [&](std::size_t i, std::size_t n) { sums += loadSome(row + i, n); });
    const float sum = sumOf(sums);
    transform(row, row, count, [sum](Lanes x, std::size_t) { return x / sum; });
}

} // namespace flopsmith::cpu
