// SPDX-License-Identifier: MIT
#include "core/teach/play/step_texts.h"

namespace flopsmith {

const Result<std::string>& StepTexts::text(const std::string& key, const Compute& compute)
{
    if (const auto found = m_texts.find(key); found != m_texts.end()) {
        return found->second;
    }
    ++m_computed;
    return m_texts.emplace(key, compute()).first->second;
}

} // namespace flopsmith
