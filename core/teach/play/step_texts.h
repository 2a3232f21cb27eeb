// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <functional>
#include <map>
#include <string>

namespace flopsmith {

/// The texts of a step with their values, by key. Each is computed when it is first asked for, because
/// a value may take many cost trees.
class StepTexts
{
public:
    using Compute = std::function<Result<std::string>()>;

    /// The text of this key, from `compute` unless it is known.
    const Result<std::string>& text(const std::string& key, const Compute& compute);

    /// Forgets all texts: they are those of another language.
    void clear() { m_texts.clear(); }

    /// How often a text was computed.
    int computed() const { return m_computed; }

private:
    std::map<std::string, Result<std::string>> m_texts;
    int m_computed = 0;
};

} // namespace flopsmith
