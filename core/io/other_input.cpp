// SPDX-License-Identifier: MIT
#include "core/io/other_input.h"

#include "core/base/file_suffix.h"
#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/json/json_values.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>
#include <vector>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::size_t kMaxEntries = 1000; ///< of a folder that are looked at

bool isHubWord(std::string_view word)
{
    constexpr std::string_view kAllowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return !word.empty() && word.front() != '.'
        && word.find_first_not_of(kAllowed) == std::string_view::npos;
}

// The end of the sentence: the config beside the source if it exists.
std::string configBeside(const std::string& source)
{
    const fs::path config = fs::path(source).parent_path() / "config.json";
    std::error_code failed;
    return fs::exists(config, failed) ? "open " + config.string()
                                      : "the config.json of the same model opens";
}

constexpr const char* kWhatOpens = "a .flopsmith file, a config.json or its folder opens";

struct FirstBytes
{
    std::string_view bytes;
    std::string_view format;
};

constexpr std::array kWeightFiles{
    FirstBytes{"GGUF"sv, "GGUF"},
    FirstBytes{"PK\x03\x04"sv, "PyTorch or NumPy"},
    FirstBytes{"\x80\x02"sv, "PyTorch"},
    FirstBytes{"\x80\x04"sv, "pickle"},
    FirstBytes{"\x89HDF"sv, "HDF5"},
    FirstBytes{"\x93NUMPY"sv, "NumPy"},
};

constexpr std::array kForeignFiles{
    FirstBytes{"\x89PNG"sv, "an image (PNG)"},
    FirstBytes{"\xFF\xD8\xFF"sv, "an image (JPEG)"},
    FirstBytes{"GIF8"sv, "an image (GIF)"},
    FirstBytes{"RIFF"sv, "an image, a sound or a film (RIFF)"},
    FirstBytes{"<svg"sv, "an image (SVG)"},
    FirstBytes{"%PDF"sv, "a document (PDF)"},
    FirstBytes{"\x1F\x8B"sv, "a packed file, which has to be unpacked first"},
    FirstBytes{"<!DOCTYPE"sv, "a web page, perhaps about the file in place of the file itself"},
    FirstBytes{"<!doctype"sv, "a web page, perhaps about the file in place of the file itself"},
    FirstBytes{"<html"sv, "a web page, perhaps about the file in place of the file itself"},
    FirstBytes{"version https://git-lfs"sv,
               "a pointer of Git LFS in place of the file, which \"git lfs pull\" fetches"},
};

constexpr std::array kWeightSuffixes{".safetensors"sv,
                                     ".gguf"sv,
                                     ".bin"sv,
                                     ".pt"sv,
                                     ".pth"sv,
                                     ".ckpt"sv,
                                     ".npz"sv,
                                     ".h5"sv};

bool hasWeightSuffix(const std::string& path)
{
    return std::any_of(kWeightSuffixes.begin(), kWeightSuffixes.end(), [&path](auto suffix) {
        return hasSuffix(path, suffix);
    });
}

std::string_view formatIn(std::span<const FirstBytes> table, std::string_view start)
{
    const auto found = std::find_if(table.begin(), table.end(), [start](const FirstBytes& known) {
        return start.substr(0, known.bytes.size()) == known.bytes;
    });
    return found == table.end() ? std::string_view() : found->format;
}

// A JSON header, preceded by its length in eight bytes.
bool isSafetensors(std::string_view start)
{
    return start.size() > 9 && start[8] == '{' && (start[9] == '"' || start[9] == '}')
        && start.substr(4, 4) == "\0\0\0\0"sv;
}

// PyTorch and NumPy pack their files as archives do.
bool isArchive(const std::string& source, std::string_view start)
{
    return start.substr(0, 4) == "PK\x03\x04"sv && !hasWeightSuffix(source)
        && !std::filesystem::path(source).extension().empty();
}

// A text that no JSON begins like; a byte order mark or control characters are no text here.
bool isOtherText(std::string_view start)
{
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    const bool isText = std::all_of(start.begin(), start.end(), [](char letter) {
        return static_cast<unsigned char>(letter) >= ' ' || letter == '\t' || letter == '\r'
            || letter == '\n';
    });
    return isText && first != std::string_view::npos
        && "{[\"-0123456789\xEF\xFE\xFF"sv.find(start[first]) == std::string_view::npos;
}

// The first folder inside that has a config.json, also behind the folder of a cache of the hub.
std::optional<std::string> configFolderIn(const fs::path& folder, int depth)
{
    std::vector<fs::path> inside;
    std::error_code failed;
    for (fs::directory_iterator each(folder, failed), end;
         !failed && each != end && inside.size() < kMaxEntries;
         each.increment(failed)) {
        std::error_code unknown;
        if (each->is_directory(unknown)) {
            inside.push_back(each->path());
        }
    }
    std::sort(inside.begin(), inside.end());
    for (const fs::path& each : inside) {
        if (fs::is_regular_file(each / "config.json", failed)) {
            return each.string();
        }
    }
    for (const fs::path& each : inside) {
        if (depth > 0 && each.filename() == "snapshots") {
            return configFolderIn(each, depth - 1);
        }
    }
    return std::nullopt;
}

// The first file of weights in a folder, without its path; empty without one.
std::string weightsIn(const fs::path& folder)
{
    std::string first;
    std::size_t seen = 0;
    std::error_code failed;
    for (fs::directory_iterator each(folder, failed), end;
         !failed && each != end && seen < kMaxEntries;
         each.increment(failed), ++seen) {
        const std::string name = each->path().filename().string();
        if (hasWeightSuffix(name) && (first.empty() || name < first)) {
            first = name;
        }
    }
    return first;
}

// A text of the object, short enough for a sentence; empty without one.
std::string shortTextOf(const Json& json, const char* key)
{
    return json.contains(key) && json[key].is_string() ? excerpt(json[key].text()) : "";
}

struct KnownKey
{
    const char* key;
    std::string_view what;
};

constexpr std::array kNeighbours{
    KnownKey{"weight_map", "an index of shards of weights"},
    KnownKey{"tokenizer_class", "the config of a tokenizer"},
    KnownKey{"added_tokens", "a tokenizer"},
    KnownKey{"bos_token", "the special tokens of a tokenizer"},
    KnownKey{"image_processor_type", "the config of an image processor"},
    KnownKey{"feature_extractor_type", "the config of a feature extractor"},
    KnownKey{"processor_class", "the config of a processor"},
    KnownKey{"_diffusers_version",
             "the config of a diffusion pipeline, which has no transformer "
             "stack of its own here"},
    KnownKey{"_from_model_config", "a config of generation"},
    KnownKey{"max_new_tokens", "a config of generation"},
    KnownKey{"log_history", "the state of a training"},
    KnownKey{"nbformat", "a notebook"},
};

} // namespace

std::optional<std::string> otherName(const std::string& source)
{
    if (source.find("://") != std::string::npos) {
        return source
            + ": an address on the web, and nothing is downloaded here; save the config.json of "
              "the model and open that";
    }
    const auto slash = source.find('/');
    const std::string extension = fs::path(source).extension().string();
    if (slash == std::string::npos || extension == ".json" || extension == kProjectSuffix
        || !isHubWord(std::string_view(source).substr(0, slash))
        || !isHubWord(std::string_view(source).substr(slash + 1))) {
        return std::nullopt;
    }
    return source
        + ": there is no such file; if it names a model of the Hugging Face hub, save its "
          "config.json "
          "and open that, since nothing is downloaded here";
}

std::optional<std::string> otherFile(const std::string& source)
{
    std::error_code failed;
    if (!fs::is_regular_file(source, failed)) {
        return std::nullopt;
    }
    std::array<char, 32> buffer{};
    std::ifstream file(source, std::ios::binary);
    file.read(buffer.data(), buffer.size());
    const std::string_view start(buffer.data(), static_cast<std::size_t>(file.gcount()));
    if (isArchive(source, start)) {
        return source + ": an archive (ZIP), which has to be unpacked first; " + kWhatOpens;
    }
    const std::string_view weights =
        isSafetensors(start) ? "safetensors"sv : formatIn(kWeightFiles, start);
    if (!weights.empty()) {
        return source + ": weights (" + std::string(weights) + "), which hold no design; "
            + configBeside(source);
    }
    std::string_view foreign = formatIn(kForeignFiles, start);
    if (foreign.empty() && isOtherText(start)) {
        foreign = "a text that is no JSON";
    }
    return foreign.empty()
        ? std::nullopt
        : std::optional(source + ": " + std::string(foreign) + "; " + kWhatOpens);
}

std::string otherFolder(const std::string& folder)
{
    if (const std::string weights = weightsIn(folder); !weights.empty()) {
        return folder + ": a folder of weights (" + printable(weights)
            + "), which hold no design; save the config.json of their model beside them and open "
              "that";
    }
    if (const auto inside = configFolderIn(folder, 1)) {
        return folder + ": a folder without a config.json; open " + *inside + ", which has one";
    }
    return folder + ": a folder without a config.json; " + kWhatOpens;
}

std::optional<std::string> otherJson(const Json& json, const std::string& source)
{
    if (!json.is_object() || json.contains("model_type")) {
        return std::nullopt;
    }
    if (json.contains("peft_type")) {
        const std::string kind = shortTextOf(json, "peft_type");
        const std::string base = shortTextOf(json, "base_model_name_or_path");
        const std::string what = kind == "LORA" ? "a LoRA"
            : kind.empty()                      ? "an adapter"
                                                : "an adapter (" + kind + ")";
        return source + ": " + what + (base.empty() ? "" : " of \"" + base + "\"")
            + ", which changes a model and is none; open the config.json of the model that it "
              "adapts";
    }
    for (const KnownKey& known : kNeighbours) {
        if (json.contains(known.key)) {
            return source + ": " + std::string(known.what) + "; " + configBeside(source);
        }
    }
    if (json.contains("dim") && json.contains("n_layers")) {
        return source
            + ": the params.json of a model's own code; the config.json of the same model for "
              "transformers opens";
    }
    return std::nullopt;
}

} // namespace flopsmith
