// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <functional>

// The threads of a CUDA block, one after the other on one thread of the host. Each is a fiber that
// runs until it waits for others, at a barrier of the block or of its warp. No emulation of a
// device: it knows no memory hierarchy, no races between blocks and no speed. What it does show is
// whether a kernel computes the right values and waits where it must: threads that exit before a
// barrier, or lanes that do not come to a shuffle, end the program with a sentence.
namespace cuda_on_host {

/// Of the thread that runs now.
struct ThreadState
{
    uint3 thread{};
    uint3 block{};
    dim3 blockSize;
    dim3 gridSize;
    int number = 0; ///< in the block, x fastest
};

const ThreadState& thisThread();

/// The order in which the threads of a block begin and go on. Results must not depend on it.
enum class Order { ascending, descending };
void runThreadsIn(Order order);

/// Runs kernel() for every thread of every block. `sharedBytes` of dynamic shared memory are
/// not-a-number when a block begins.
void runBlocks(dim3 grid, dim3 block, std::size_t sharedBytes, const std::function<void()>& kernel);

void* dynamicSharedMemory();

void waitForBlock();
void waitForWarp(unsigned mask);

/// Every lane in `mask` gives a value and gets that of lane `source`; its own if that lane is not in
/// the mask or does not exist.
std::uint64_t exchange(unsigned mask, std::uint64_t value, int source);

/// Bit i: lane i is in `mask`, exists and gave true.
unsigned ballot(unsigned mask, bool value);

/// How many threads of the block gave true; with a barrier before and after.
int countInBlock(bool value);

int lane();

} // namespace cuda_on_host
