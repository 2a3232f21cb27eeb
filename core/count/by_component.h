// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/component.h"

#include <algorithm>
#include <vector>

namespace flopsmith {

/// Components are the same wherever they are defined.
inline bool isSame(const Component& a, const Component& b)
{
    return a.id == b.id;
}

/// Amounts by component in the order in which components first occur.
template <class Amount>
class ByComponent
{
public:
    struct Entry
    {
        const Component* component;
        Amount amount;
    };

    void add(const Component& component, const Amount& amount)
    {
        const auto found =
            std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
                return isSame(*entry.component, component);
            });
        if (found == m_entries.end()) {
            m_entries.push_back({&component, amount});
        } else {
            found->amount += amount;
        }
    }

    Amount sum() const
    {
        Amount sum{0};
        for (const Entry& entry : m_entries) {
            sum += entry.amount;
        }
        return sum;
    }

    const std::vector<Entry>& entries() const { return m_entries; }

private:
    std::vector<Entry> m_entries;
};

} // namespace flopsmith
