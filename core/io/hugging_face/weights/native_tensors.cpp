// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/weights/native_tensors.h"

#include "core/mixer/attention.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace flopsmith {
namespace {

constexpr std::string_view kNumber = "{}";
constexpr std::string_view kTokens = "embedding.tokens.weight";

std::string withNumber(std::string_view pattern, const std::string& number)
{
    std::string text(pattern);
    if (const std::size_t at = text.find(kNumber); at != std::string::npos) {
        text.replace(at, kNumber.size(), number);
    }
    return text;
}

// The number for which the pattern becomes this name; an empty text if the pattern has no number;
// nothing if the name does not match.
std::optional<std::string> blockNumber(std::string_view name, std::string_view pattern)
{
    const std::size_t at = pattern.find(kNumber);
    if (at == std::string_view::npos) {
        return name == pattern ? std::optional<std::string>("") : std::nullopt;
    }
    const std::string_view before = pattern.substr(0, at);
    const std::string_view behind = pattern.substr(at + kNumber.size());
    if (name.size() <= before.size() + behind.size() || !name.starts_with(before)
        || !name.ends_with(behind)) {
        return std::nullopt;
    }
    const std::string_view number =
        name.substr(before.size(), name.size() - before.size() - behind.size());
    const bool isNumber =
        std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
    return isNumber ? std::optional(std::string(number)) : std::nullopt;
}

// The attention of a block; null if it has none.
const Attention* attentionOf(const Model& model, const std::string& number)
{
    int block = -1;
    const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), block);
    const int run = code == std::errc{} ? model.runOf(block) : -1;
    return run < 0 ? nullptr
                   : get_if<Attention>(&model.runs[static_cast<std::size_t>(run)].block.mixer);
}

struct RowRange
{
    std::int64_t first = 0;
    std::int64_t count = 0;
};

std::optional<RowRange> rowsOf(NativeRows rows,
                               const Model& model,
                               const std::string& number,
                               const TensorShape& shape)
{
    if (rows == NativeRows::all) {
        return RowRange{0, shape.front()};
    }
    const Attention* attention = attentionOf(model, number);
    if (attention == nullptr) {
        return std::nullopt;
    }
    const std::int64_t headDim = attention->headDimFor(model.dModel);
    const std::int64_t queries = headDim * attention->heads;
    const std::int64_t keys = headDim * attention->kvHeads;
    switch (rows) {
    case NativeRows::queries: return RowRange{0, queries};
    case NativeRows::keys: return RowRange{queries, keys};
    case NativeRows::values: return RowRange{queries + keys, keys};
    case NativeRows::all: break;
    }
    return std::nullopt;
}

// Checkpoints of the plain model omit the prefix; old ones call a norm's tensors gamma and beta.
std::vector<std::string> namesOf(const NativeFamily& family,
                                 const NativeName& name,
                                 const std::string& number)
{
    std::vector<std::string> all{withNumber(name.native, number)};
    if (name.hasPrefix) {
        all.insert(all.begin(), std::string(family.prefix) + all.front());
    }
    if (!name.second.empty()) {
        all.emplace_back(name.second);
    }
    for (const auto& [now, once] :
         {std::pair{"LayerNorm.weight", "LayerNorm.gamma"}, {"LayerNorm.bias", "LayerNorm.beta"}}) {
        const std::string_view end = now;
        for (std::size_t i = 0, count = all.size(); i < count; ++i) {
            if (all[i].ends_with(end)) {
                all.push_back(all[i].substr(0, all[i].size() - end.size()) + once);
            }
        }
    }
    return all;
}

// A tied head has one of two equal tensors; an untied one has both, though one is never read.
std::vector<std::string> writtenNames(const NativeName& name,
                                      const Model& model,
                                      const std::string& first)
{
    if (name.second.empty()) {
        return {first};
    }
    return model.head.tied ? std::vector<std::string>{std::string(name.second)}
                           : std::vector<std::string>{first, std::string(name.second)};
}

void addHeadName(const NativeFamily& family, std::vector<std::string>& names)
{
    const auto head = std::ranges::find(family.names, "head.logits.weight", &NativeName::ours);
    if (head != family.names.end()) {
        names.emplace_back(head->native);
    }
}

} // namespace

Result<std::vector<NativeTensor>> nativeTensors(const NativeFamily& family,
                                                const Model& model,
                                                const std::string& ours,
                                                const TensorShape& shape)
{
    std::vector<NativeTensor> all;
    std::int64_t next = 0;
    std::vector<NativeName> names(family.names.begin(), family.names.end());
    names.insert(names.end(), family.norms.begin(), family.norms.end());
    for (const NativeName& name : names) {
        const std::optional<std::string> number = blockNumber(ours, name.ours);
        const std::optional<RowRange> rows =
            number && !shape.empty() ? rowsOf(name.rows, model, *number, shape) : std::nullopt;
        if (!rows || rows->first != next) {
            continue;
        }
        NativeTensor tensor{.names = namesOf(family, name, *number),
                            .shape = shape,
                            .form = name.form,
                            .firstRow = rows->first,
                            .rows = rows->count};
        if (name.ours == kTokens && model.head.isLm() && model.head.tied) {
            addHeadName(family,
                        tensor.names); // one matrix, perhaps under the other's name
        }
        tensor.written = writtenNames(name, model, tensor.names.front());
        tensor.shape.front() = rows->count;
        if (name.form == NativeForm::transposed) {
            std::reverse(tensor.shape.begin(), tensor.shape.end());
        }
        next += rows->count;
        all.push_back(std::move(tensor));
    }
    if (all.empty() || next != shape.front()) {
        return Error{"checkpoints of " + std::string(family.modelType) + " have no tensor for "
                     + ours};
    }
    return all;
}

bool isUnreadNative(const NativeFamily& family, std::string_view name)
{
    return std::any_of(family.unread.begin(), family.unread.end(), [name](std::string_view end) {
        return name.ends_with(end);
    });
}

} // namespace flopsmith
