// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/kernels/cpu/linear.h"
#include "core/kernels/cpu/parallel.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace flopsmith::cpu {

/// Shares products of groups of rows, each group with a matrix of its own, over the threads. A
/// group is cut where it is more than its share of the work, so that neither one large group nor a
/// few single rows leave threads idle.
class GroupedRows
{
public:
    GroupedRows(int groups, Threads threads)
        : m_groups(groups)
        , m_threads(threads)
    {
        m_tasks.reserve(mostTasks(groups, threads));
    }

    /// Calls product(group, slice) until all rows × columns are covered, side by side; rowsOf(group)
    /// are its rows among all rows, each of which costs inner·columns multiply-adds.
    template <class RowsOf, class Product>
    void forEach(const RowsOf& rowsOf,
                 std::int64_t inner,
                 std::int64_t columns,
                 const Product& product)
    {
        std::int64_t rows = 0;
        for (int group = 0; group < m_groups; ++group) {
            rows += rowsOf(group).size();
        }
        const std::int64_t perRow = inner * columns;
        const Threads busy = worthwhile(m_threads, rows * perRow);
        const std::int64_t parts = busy.count == 1 ? 1 : busy.count * kTasksPerThread;
        const std::int64_t most = std::max((rows * perRow + parts - 1) / parts, std::int64_t{1});
        m_tasks.clear();
        for (int group = 0; group < m_groups; ++group) {
            const Range own = rowsOf(group);
            const std::int64_t pieces =
                busy.count == 1 ? 1 : (own.size() * perRow + most - 1) / most;
            for (int piece = 0; own.size() > 0 && piece < pieces; ++piece) {
                addTask(group,
                        own.first,
                        sliceOf(own.size(), columns, {static_cast<int>(pieces)}, piece));
            }
        }
        shareOut(busy, static_cast<std::int64_t>(m_tasks.size()), [&](std::int64_t i, int) {
            const Task& task = m_tasks[static_cast<std::size_t>(i)];
            product(task.group, task.slice);
        });
    }

    std::size_t bytes() const { return m_tasks.capacity() * sizeof(Task); }

    static Count mostBytes(int groups, Threads threads)
    {
        return Count{sizeof(Task)} * static_cast<Count>(mostTasks(groups, threads));
    }

private:
    // Few enough that each is large, many enough that the last ones end at about the same time.
    static constexpr int kTasksPerThread = 4;

    struct Task
    {
        int group;
        Slice slice;
    };

    // Rounding up adds less than one piece to each group.
    static std::size_t mostTasks(int groups, Threads threads)
    {
        return static_cast<std::size_t>(groups)
            + static_cast<std::size_t>(threads.count * kTasksPerThread);
    }

    void addTask(int group, std::int64_t firstRow, Slice slice)
    {
        if (slice.tokens.size() > 0 && slice.columns.size() > 0) {
            slice.tokens.first += firstRow;
            slice.tokens.last += firstRow;
            m_tasks.push_back({group, slice});
        }
    }

    int m_groups;
    Threads m_threads;
    std::vector<Task> m_tasks;
};

} // namespace flopsmith::cpu
