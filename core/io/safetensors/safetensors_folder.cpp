// SPDX-License-Identifier: MIT
#include "core/io/safetensors/safetensors_folder.h"

#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/io/safetensors/safetensors_layout.h"
#include "core/json/json_text.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

// "weight_map": {"TENSOR": "SHARD", …}
Result<Json> weightMap(const std::string& index)
{
    FLOPSMITH_TRY(const std::string text, textOfFile(index));
    FLOPSMITH_TRY(Json json, parsedJson(text, index));
    Json* found = json.find("weight_map");
    if (found == nullptr || !found->is_object() || found->empty()) {
        return Error{index + ": expected an object \"weight_map\" with a file for each tensor"};
    }
    for (const auto& item : found->items()) {
        if (!item.value().is_string()) {
            return Error{index + ": weight_map: expected a file's name for \"" + excerpt(item.key())
                         + "\""};
        }
    }
    return Json(std::move(*found));
}

bool isNameInFolder(const std::string& name)
{
    constexpr std::size_t kLongestName = 255; // that file systems take
    return !name.empty() && name.size() <= kLongestName && name != "." && name != ".."
        && name.find_first_of(std::string("/\\\0", 3)) == std::string::npos;
}

} // namespace

SafetensorsFolder::SafetensorsFolder(std::string path)
    : m_path(std::move(path))
{}

Result<SafetensorsFolder> SafetensorsFolder::open(const std::string& path)
{
    SafetensorsFolder folder(path);
    std::error_code ignored;
    const fs::path one = fs::path(path) / kSafetensorsName;
    const fs::path index = fs::path(path) / kSafetensorsIndexName;
    Status status = Done{};
    if (!fs::is_directory(path, ignored)) {
        status = path.ends_with(".safetensors.index.json") ? folder.openShards(path)
                                                           : folder.openFile(path);
    } else if (fs::exists(one, ignored)) {
        status = folder.openFile(one.string());
    } else if (fs::exists(index, ignored)) {
        status = folder.openShards(index.string());
    } else {
        status = Error{path + ": this folder has neither " + kSafetensorsName + " nor "
                       + kSafetensorsIndexName};
    }
    return status ? Result<SafetensorsFolder>(std::move(folder)) : status.error();
}

Status SafetensorsFolder::openFile(const std::string& path)
{
    FLOPSMITH_TRY(SafetensorsFile file, SafetensorsFile::open(path));
    for (const SafetensorsTensor& tensor : file.tensors()) {
        const auto [place, isNew] = m_places.emplace(tensor.name, m_files.size());
        if (!isNew) {
            return Error{path + ": tensor \"" + excerpt(tensor.name) + "\" is in "
                         + m_files[place->second].path() + " too"};
        }
    }
    if (m_places.size() > kMaxSafetensors) {
        return Error{m_path + ": more than " + std::to_string(kMaxSafetensors) + " tensors"};
    }
    m_files.push_back(std::move(file));
    return Done{};
}

Status SafetensorsFolder::openShards(const std::string& index)
{
    FLOPSMITH_TRY(const Json map, weightMap(index));
    std::map<std::string, std::size_t> shards; // by name: their place in the files
    for (const auto& item : map.items()) {
        const auto name = item.value().get<std::string>();
        const std::string tensor = "\"" + excerpt(item.key()) + "\"";
        if (!isNameInFolder(name)) {
            return Error{index + ": weight_map: " + tensor + " is in \"" + excerpt(name)
                         + "\", which names no file beside the index"};
        }
        const auto [shard, isNew] = shards.emplace(name, m_files.size());
        if (shards.size() > kMaxShards) {
            return Error{index + ": more than " + std::to_string(kMaxShards) + " files"};
        }
        FLOPSMITH_RETURN_IF_ERROR(isNew ? openFile((fs::path(index).parent_path() / name).string())
                                        : Status(Done{}));
        const SafetensorsFile& file = m_files[shard->second];
        if (file.find(item.key()) == nullptr) {
            return Error{file.path() + ": there is no tensor " + tensor
                         + ", which the index says is in this file"};
        }
    }
    return Done{};
}

std::optional<SafetensorsFolder::Place> SafetensorsFolder::find(std::string_view name) const
{
    const auto found = m_places.find(name);
    if (found == m_places.end()) {
        return std::nullopt;
    }
    const SafetensorsFile& file = m_files[found->second];
    return Place{.file = &file, .tensor = file.find(name)};
}

template <class T>
Result<std::vector<T>> SafetensorsFolder::readAs(std::string_view name) const
{
    const std::optional<Place> place = find(name);
    if (!place) {
        return Error{m_path + ": there is no tensor \"" + excerpt(name) + "\" among its "
                     + std::to_string(size())};
    }
    return place->file->readAs<T>(name);
}

template Result<std::vector<float>> SafetensorsFolder::readAs(std::string_view) const;
template Result<std::vector<double>> SafetensorsFolder::readAs(std::string_view) const;
template Result<std::vector<std::int64_t>> SafetensorsFolder::readAs(std::string_view) const;

} // namespace flopsmith
