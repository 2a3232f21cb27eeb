// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/gemm/columns.cuh"

namespace flopsmith::cuda {
namespace {

// Enough blocks to hide memory latency.
constexpr std::int64_t kBlocksPerMultiprocessor = 8;

constexpr int kLanesOfParts = 32;

// Block: 32 columns by 32 threads, which split the parts of a column among them.
__global__ void addPartsOfColumns(const float* partial,
                                  std::int64_t parts,
                                  std::int64_t columns,
                                  float* sums,
                                  Into into)
{
    __shared__ float ofLanes[kLanesOfParts][kWarp + 1];
    const int lane = static_cast<int>(threadIdx.x) / kWarp;
    const int inWarp = static_cast<int>(threadIdx.x) % kWarp;
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kWarp + inWarp;
    float sum = 0.0F;
    if (column < columns) {
        for (std::int64_t part = lane; part < parts; part += kLanesOfParts) {
            sum += partial[part * columns + column];
        }
    }
    ofLanes[lane][inWarp] = sum;
    __syncthreads();
    if (lane == 0 && column < columns) {
        float total = into == Into::accumulate ? sums[column] : 0.0F;
        for (int i = 0; i < kLanesOfParts; ++i) {
            total += ofLanes[i][inWarp];
        }
        sums[column] = total;
    }
}

} // namespace

RowParts::RowParts(const Device& device, std::int64_t allRows, std::int64_t columns)
    : rows(allRows)
{
    const std::int64_t blocks = dividedUp(columns, kColumnsPerBlock);
    const std::int64_t wanted =
        device.facts().multiprocessors * kBlocksPerMultiprocessor / (blocks < 1 ? 1 : blocks);
    const std::int64_t most = wanted < 1 ? 1 : (wanted > kMaxGridY ? kMaxGridY : wanted);
    rowsPerPart = rows <= most ? 1 : dividedUp(rows, most);
    count = dividedUp(rows, rowsPerPart);
}

void addParts(const Device& device,
              const float* partial,
              std::int64_t parts,
              std::int64_t columns,
              float* sums,
              Into into)
{
    launch(device,
           static_cast<unsigned>(dividedUp(columns, kWarp)),
           kWarp * kLanesOfParts,
           0,
           &addPartsOfColumns,
           partial,
           parts,
           columns,
           sums,
           into);
}

} // namespace flopsmith::cuda
