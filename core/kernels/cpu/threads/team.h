// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/threads/threads.h"

namespace flopsmith::cpu {

/// Starts the missing threads for runTogether(). Kernels call it when they are prepared.
void startThreads(Threads threads);

/// Every thread calls `prepare` when it is started, and a thread that calls startThreads() does so
/// then: for memory that products allocate on each thread. It must be free the second time. Returns
/// true, so that it can be called at namespace scope.
bool onThreadStart(void (*prepare)());

/// Calls part(context, i) for i of [0, threads), i = 0 on the calling thread, and returns when all
/// have ended. A waiting thread spins for a seventh of a millisecond, so that steps that follow one
/// another start at once, and then sleeps; with more threads than processors it sleeps at once.
/// OpenMP's runtime spins for milliseconds, which on a machine with other work takes the core from
/// the very thread it waits for: measured, 20 ms for a step of 0.1 ms. Parts must not call
/// runTogether() themselves, nor throw.
void runTogether(Threads threads, void (*part)(const void* context, int i), const void* context);

} // namespace flopsmith::cpu
