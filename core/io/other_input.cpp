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
#include <string_view>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

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

// A JSON header, preceded by its length in eight bytes.
bool isSafetensors(std::string_view start)
{
    return start.size() > 9 && start[8] == '{' && (start[9] == '"' || start[9] == '}')
        && start.substr(4, 4) == "\0\0\0\0"sv;
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
    KnownKey{"image_processor_type", "the config of an image processor"},
    KnownKey{"feature_extractor_type", "the config of a feature extractor"},
    KnownKey{"processor_class", "the config of a processor"},
    KnownKey{"_diffusers_version",
             "the config of a diffusion pipeline, which has no transformer "
             "stack of its own here"},
    KnownKey{"_from_model_config", "a config of generation"},
    KnownKey{"max_new_tokens", "a config of generation"},
};

} // namespace

std::optional<std::string> otherName(const std::string& source)
{
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
    std::array<char, 16> buffer{};
    std::ifstream file(source, std::ios::binary);
    file.read(buffer.data(), buffer.size());
    const std::string_view start(buffer.data(), static_cast<std::size_t>(file.gcount()));
    std::string_view format = isSafetensors(start) ? "safetensors"sv : ""sv;
    for (const FirstBytes& known : kWeightFiles) {
        format = start.substr(0, known.bytes.size()) == known.bytes ? known.format : format;
    }
    if (format.empty()) {
        return std::nullopt;
    }
    return source + ": weights (" + std::string(format) + "), which hold no design; "
        + configBeside(source);
}

std::optional<std::string> otherJson(const Json& json, const std::string& source)
{
    if (!json.is_object() || json.contains("model_type")) {
        return std::nullopt;
    }
    if (json.contains("peft_type")) {
        const std::string kind = shortTextOf(json, "peft_type");
        const std::string base = shortTextOf(json, "base_model_name_or_path");
        return source + ": the config of an adapter" + (kind.empty() ? "" : " (" + kind + ")")
            + ", which changes a model and is none; the config.json of its base model opens"
            + (base.empty() ? "" : ", \"" + base + "\"");
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
