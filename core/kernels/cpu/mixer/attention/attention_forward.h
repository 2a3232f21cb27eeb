// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/mixer/attention/attention_core.h"

#include <utility>

namespace flopsmith::cpu {

/// The forward pass of every attention: `Heads` prepares the core's queries, keys and values, and
/// projects its sums.
template <class Heads>
class AttentionForward
{
public:
    AttentionForward(Heads heads, AttentionCore core)
        : m_heads(std::move(heads))
        , m_core(std::move(core))
    {}

    void run(const MixerInput& input, float* y)
    {
        m_heads.prepare(input);
        m_core.run(m_heads.coreInput(input), m_heads.sums());
        m_heads.project(y);
    }

private:
    Heads m_heads;
    AttentionCore m_core;
};

} // namespace flopsmith::cpu
