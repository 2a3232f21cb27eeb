// SPDX-License-Identifier: MIT
#include "core/io/safetensors/safetensors_layout.h"

#include "core/json/json_text.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::size_t kDataAlignment = 8;
constexpr std::size_t kShardDigits = 5;

Json tensorJson(const SafetensorsTensor& tensor)
{
    return {{"dtype", std::string(nameOf(tensor.type))},
            {"shape", Json(tensor.shape)},
            {"data_offsets", Json::array({tensor.begin, tensor.end})}};
}

std::string fiveDigits(std::size_t number)
{
    const std::string digits = std::to_string(number);
    return std::string(kShardDigits - std::min(kShardDigits, digits.size()), '0') + digits;
}

} // namespace

std::vector<SafetensorsTensor> laidOut(std::vector<SafetensorsTensor> tensors)
{
    std::ranges::stable_sort(tensors, std::greater<>(), [](const SafetensorsTensor& tensor) {
        return bytesPerElement(tensor.type);
    });
    std::uint64_t next = 0;
    for (SafetensorsTensor& tensor : tensors) {
        const std::uint64_t bytes = tensor.end - tensor.begin;
        tensor.begin = next;
        tensor.end = next + bytes;
        next = tensor.end;
    }
    return tensors;
}

Result<std::string> safetensorsStart(std::span<const SafetensorsTensor> tensors,
                                     const SafetensorsMetadata& metadata)
{
    Json header = Json::object();
    if (!metadata.empty()) {
        header.append(kMetadataKey, metadata);
    }
    for (const SafetensorsTensor& tensor : tensors) {
        header.append(tensor.name, tensorJson(tensor));
    }
    std::string text = jsonText(header);
    const std::size_t beyond = text.size() % kDataAlignment;
    text.append(beyond == 0 ? 0 : kDataAlignment - beyond, ' ');
    if (text.size() > kMaxSafetensorsHeader || tensors.size() > kMaxSafetensors) {
        return Error{std::to_string(tensors.size()) + " tensors need a header of "
                     + std::to_string(text.size()) + " bytes; a safetensors file has at most "
                     + std::to_string(kMaxSafetensors) + " and "
                     + std::to_string(kMaxSafetensorsHeader)};
    }
    std::string start;
    for (std::size_t i = 0; i < sizeof(std::uint64_t); ++i) {
        start += static_cast<char>((std::uint64_t{text.size()} >> (8U * i)) & 0xffU);
    }
    return start + text;
}

std::vector<std::vector<SafetensorsTensor>> shardsOf(std::vector<SafetensorsTensor> tensors,
                                                     std::uint64_t shardBytes)
{
    std::vector<std::vector<SafetensorsTensor>> shards(1);
    std::uint64_t free = shardBytes;
    for (SafetensorsTensor& tensor : tensors) {
        const std::uint64_t bytes = tensor.end - tensor.begin;
        if (bytes > free && !shards.back().empty()) {
            shards.emplace_back();
            free = shardBytes;
        }
        free -= std::min(free, bytes);
        shards.back().push_back(std::move(tensor));
    }
    return shards;
}

std::string shardName(std::size_t shard, std::size_t shards)
{
    return "model-" + fiveDigits(shard + 1) + "-of-" + fiveDigits(shards) + ".safetensors";
}

std::string shardIndex(const std::vector<std::vector<SafetensorsTensor>>& shards)
{
    std::uint64_t total = 0;
    Json map = Json::object();
    for (std::size_t i = 0; i < shards.size(); ++i) {
        for (const SafetensorsTensor& tensor : shards[i]) {
            total += tensor.end - tensor.begin;
            map.append(tensor.name, shardName(i, shards.size()));
        }
    }
    Json index = Json::object();
    index["metadata"]["total_size"] = total;
    index["weight_map"] = std::move(map);
    return jsonText(index, 2) + "\n";
}

} // namespace flopsmith
