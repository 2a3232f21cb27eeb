// SPDX-License-Identifier: MIT
#include "core/run/checks.h"

#include <algorithm>
#include <string>
#include <variant>

namespace flopsmith {

InputSizes inputSizes(const ModelPlan& plan)
{
    const Embedding& embedding = std::get<EmbeddingOperation>(plan.parts.front().spec).embedding;
    if (embedding.readsPatches()) {
        return {.images = static_cast<std::size_t>(plan.decoder.batch)
                    * static_cast<std::size_t>(embedding.imagePixels())};
    }
    return {.tokens = plan.decoder.tokens(), .source = plan.hasEncoder ? plan.encoder.tokens() : 0};
}

Status checkedCount(std::size_t count, std::size_t wanted, const std::string& what)
{
    if (count == wanted) {
        return Done{};
    }
    return Error{"The model needs " + std::to_string(wanted) + " " + what + ", not "
                 + std::to_string(count)};
}

Status checkedNumbers(std::span<const int> numbers,
                      std::size_t wanted,
                      int end,
                      const std::string& what)
{
    FLOPSMITH_RETURN_IF_ERROR(checkedCount(numbers.size(), wanted, what));
    const auto wrong = std::find_if(
        numbers.begin(), numbers.end(), [end](int number) { return number < 0 || number >= end; });
    if (wrong == numbers.end()) {
        return Done{};
    }
    return Error{"Number " + std::to_string(wrong - numbers.begin()) + " of the " + what + " is "
                 + std::to_string(*wrong) + "; it must be 0 \xE2\x80\xA6 "
                 + std::to_string(end - 1)};
}

} // namespace flopsmith
