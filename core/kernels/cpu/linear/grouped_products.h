// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/simd/memory_ledger.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>
#include <cstdint>

namespace flopsmith::cpu {

/// Distributes several products, each with its own matrices, over the threads. A product larger
/// than a task's share of the work is cut, so that neither one large product nor a few single rows
/// leave threads idle.
class GroupedProducts
{
public:
    GroupedProducts(int groups, Threads threads)
        : m_groups(groups)
        , m_threads(threads)
    {
        m_tasks.reserve(maxTasks(groups, threads));
    }

    /// Calls product(group, slice of its rows and columns) in parallel for slices that cover every
    /// group. sizeOf(group) is a ProductSize; rows and columns are covered even if inner is 0.
    template <class SizeOf, class Product>
    void forEach(const SizeOf& sizeOf, const Product& product)
    {
        std::int64_t all = 0;
        for (int group = 0; group < m_groups; ++group) {
            all += workOf(sizeOf(group));
        }
        const Threads busy = threadsFor(m_threads, all);
        const std::int64_t parts = busy.count == 1 ? 1 : busy.count * kTasksPerThread;
        const std::int64_t maxWork = std::max((all + parts - 1) / parts, std::int64_t{1});
        m_tasks.clear();
        for (int group = 0; group < m_groups; ++group) {
            const ProductSize size = sizeOf(group);
            const std::int64_t pieces =
                busy.count == 1 ? 1 : (workOf(size) + maxWork - 1) / maxWork;
            addTasks(group, size, static_cast<int>(pieces));
        }
        shareOut(busy, static_cast<std::int64_t>(m_tasks.size()), [&](std::int64_t i, int) {
            const Task& task = m_tasks[static_cast<std::size_t>(i)];
            product(task.group, task.slice);
        });
    }

private:
    // Few enough that each task is large, many enough that threads finish at about the same time.
    static constexpr int kTasksPerThread = 4;

    struct Task
    {
        int group;
        Slice slice;
    };

    // Rounding up adds less than one piece to each group.
    static std::size_t maxTasks(int groups, Threads threads)
    {
        return static_cast<std::size_t>(groups)
            + static_cast<std::size_t>(threads.count * kTasksPerThread);
    }

    static std::int64_t workOf(const ProductSize& size)
    {
        return size.rows * std::max(size.inner, std::int64_t{1}) * size.columns;
    }

    void addTasks(int group, const ProductSize& size, int pieces)
    {
        for (int piece = 0; piece < pieces; ++piece) {
            const Slice slice = sliceOf(size.rows, size.columns, {pieces}, piece);
            if (slice.tokens.size() > 0 && slice.columns.size() > 0) {
                m_tasks.push_back({group, slice});
            }
        }
    }

    int m_groups;
    Threads m_threads;
    LedgerVector<Task> m_tasks;
};

/// The slice with its tokens counted from `first`.
inline Slice shiftedBy(std::int64_t first, Slice slice)
{
    slice.tokens.first += first;
    slice.tokens.last += first;
    return slice;
}

} // namespace flopsmith::cpu
