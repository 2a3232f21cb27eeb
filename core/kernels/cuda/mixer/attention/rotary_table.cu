// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/rotary_table.h"

#include "core/kernels/cuda/block/elements.cuh"

#include <cmath>

namespace flopsmith::cuda {
namespace {

// One pair of features per thread.
struct RotateTails
{
    TailsToRotate tails;
    const float2* table;
    float direction;
    float* rows;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const int half = tails.features / 2;
        for (int i = 0; i < N; ++i) {
            const int unit = static_cast<int>(column + i) / half;
            const int pair = static_cast<int>(column + i) - unit * half;
            float* const first = rows + row * tails.stride + tails.column + (unit + 1) * tails.width
                - tails.features + pair;
            const float2 sinCos = table[row % tails.sequence * half + pair];
            const float sine = direction * sinCos.y;
            const float before = first[0];
            const float other = first[half];
            first[0] = before * sinCos.x - other * sine;
            first[half] = other * sinCos.x + before * sine;
        }
    }
};

std::vector<float2> rotations(int first, int count, int features, const Rope& rope)
{
    std::vector<float2> values;
    for (int position = first; position < first + count; ++position) {
        for (int pair = 0; pair < features / 2; ++pair) {
            const double angle = rotaryAngle(position, pair, features, rope);
            values.push_back({static_cast<float>(rope.amplitude * std::cos(angle)),
                              static_cast<float>(rope.amplitude * std::sin(angle))});
        }
    }
    return values;
}

} // namespace

RotaryTable::RotaryTable(const Device& device, int first, int count, int features, const Rope& rope)
    : m_values(device.memory(), rotations(first, count, features, rope))
{}

void rotateTails(const Device& device,
                 const TailsToRotate& tails,
                 const float2* table,
                 bool back,
                 float* rows)
{
    forEachElement(device,
                   tails.tokens,
                   std::int64_t{tails.units} * (tails.features / 2),
                   RotateTails{tails, table, back ? -1.0F : 1.0F, rows});
}

} // namespace flopsmith::cuda
