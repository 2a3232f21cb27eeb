// SPDX-License-Identifier: MIT
#include "core/io/safetensors/safetensors_writer.h"

#include "core/base/text_file.h"
#include "core/io/safetensors/safetensors_layout.h"

#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

using ByName = std::map<std::string_view, const TensorToWrite*>;

ByName byName(std::span<const TensorToWrite> tensors)
{
    ByName found;
    for (const TensorToWrite& tensor : tensors) {
        found.emplace(tensor.name, &tensor);
    }
    return found;
}

// Header and data of one file, which is not committed.
Status writeTensors(NewFile& file,
                    const std::vector<SafetensorsTensor>& tensors,
                    const ByName& sources,
                    const SafetensorsMetadata& metadata,
                    WrittenSafetensors& written)
{
    const Result<std::string> start = safetensorsStart(tensors, metadata);
    Status status = start ? file.append(*start) : start.error();
    const TensorBytes append = [&file](std::string_view bytes) { return file.append(bytes); };
    for (auto tensor = tensors.begin(); tensor != tensors.end() && status; ++tensor) {
        double rounding = 0;
        status = takeTensor(*sources.at(tensor->name), tensor->elements(), append, rounding);
        if (rounding > written.rounding) {
            written.rounding = rounding;
            written.roundedTensor = tensor->name;
        }
    }
    return status;
}

// Files that are all written before any of them gets its name.
class NewFiles
{
public:
    Result<NewFile*> create(const std::string& path)
    {
        FLOPSMITH_TRY(NewFile file, NewFile::create(path));
        m_files.push_back(std::move(file));
        return &m_files.back();
    }

    Status commit()
    {
        Status status = Done{};
        for (auto file = m_files.begin(); file != m_files.end() && status; ++file) {
            status = file->commit();
        }
        return status;
    }

private:
    std::vector<NewFile> m_files;
};

// Otherwise a reader of the folder could take older files for the new weights.
Status expectNone(const std::filesystem::path& path)
{
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) {
        return Error{path.string()
                     + ": belongs to other weights; remove it or name another folder"};
    }
    return Done{};
}

Result<WrittenSafetensors> writeFiles(const std::vector<std::vector<SafetensorsTensor>>& files,
                                      std::vector<std::string> paths,
                                      const ByName& sources,
                                      const SafetensorsMetadata& metadata,
                                      const std::string& index)
{
    WrittenSafetensors written{.files = std::move(paths)};
    NewFiles newFiles;
    for (std::size_t i = 0; i < written.files.size(); ++i) {
        FLOPSMITH_TRY(NewFile * file, newFiles.create(written.files[i]));
        FLOPSMITH_RETURN_IF_ERROR(
            i < files.size() ? writeTensors(*file, laidOut(files[i]), sources, metadata, written)
                             : file->append(index));
    }
    const Status committed = newFiles.commit();
    return committed ? Result<WrittenSafetensors>(std::move(written)) : committed.error();
}

} // namespace

Result<WrittenSafetensors> writeSafetensors(const std::string& path,
                                            std::span<const TensorToWrite> tensors,
                                            const SafetensorsMetadata& metadata)
{
    FLOPSMITH_TRY(std::vector<SafetensorsTensor> described, describedTensors(tensors));
    return writeFiles({std::move(described)}, {path}, byName(tensors), metadata, {});
}

Result<WrittenSafetensors> writeSafetensorsFolder(const std::string& folder,
                                                  std::span<const TensorToWrite> tensors,
                                                  const SafetensorsMetadata& metadata,
                                                  std::uint64_t shardBytes)
{
    FLOPSMITH_TRY(std::vector<SafetensorsTensor> described, describedTensors(tensors));
    const auto shards = shardsOf(std::move(described), shardBytes);
    if (shards.size() > kMaxWrittenShards) {
        return Error{folder + ": the tensors would take " + std::to_string(shards.size())
                     + " files of " + std::to_string(shardBytes) + " bytes; at most "
                     + std::to_string(kMaxWrittenShards) + " are written, allow larger ones"};
    }
    const std::filesystem::path in = folder;
    const bool isOne = shards.size() == 1;
    const char* const other = isOne ? kSafetensorsIndexName : kSafetensorsName;
    FLOPSMITH_RETURN_IF_ERROR(expectNone(in / other));
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < shards.size(); ++i) {
        paths.push_back((in / (isOne ? kSafetensorsName : shardName(i, shards.size()))).string());
    }
    if (!isOne) {
        paths.push_back((in / kSafetensorsIndexName).string());
    }
    const std::string index = isOne ? std::string() : shardIndex(shards);
    return writeFiles(shards, std::move(paths), byName(tensors), metadata, index);
}

} // namespace flopsmith
