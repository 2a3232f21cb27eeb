// SPDX-License-Identifier: MIT
#include "core/json/similar_keys.h"

#include <algorithm>
#include <set>
#include <string>

namespace flopsmith {
namespace {

using Words = std::set<std::string_view>;

constexpr std::string_view kSize = "size";
constexpr std::string_view kHiddenLayer = "ffn";
constexpr std::string_view kPer = "per";

struct Synonym
{
    std::string_view word;
    std::string_view subject; ///< empty: no information about the subject
};

// Words of keys that name sizes, each with the subject of the size.
constexpr Synonym kSynonyms[]{
    {"expert", "experts"},
    {"moe", "experts"},
    {"head", "heads"},
    {"layer", "layers"},
    {"block", "layers"},
    {"blocks", "layers"},
    {"depth", "layers"},
    {"vocabulary", "vocab"},
    {"label", "labels"},
    {"class", "labels"},
    {"classes", "labels"},
    {"position", "positions"},
    {"ctx", "positions"},
    {"context", "positions"},
    {"seq", "positions"},
    {"sequence", "positions"},
    {"length", "positions"},
    {"lora", "rank"},
    {"group", "groups"},
    {"bucket", "buckets"},
    {"channel", "channels"},
    {"types", "type"},
    {"key", "kv"},
    {"value", "kv"},
    {"d", kSize},
    {"dim", kSize},
    {"dims", kSize},
    {"width", kSize},
    {"model", kSize},
    {"hidden", kSize},
    {"embd", kSize},
    {"embed", kSize},
    {"embedding", kSize},
    {"embeddings", kSize},
    {"units", kSize},
    {"features", kSize},
    {"ff", kHiddenLayer},
    {"ffw", kHiddenLayer},
    {"feedforward", kHiddenLayer},
    {"mlp", kHiddenLayer},
    {"inner", kHiddenLayer},
    {"intermediate", kHiddenLayer},
    {"expansion", kHiddenLayer},
    {"n", ""},
    {"num", ""},
    {"number", ""},
    {"count", ""},
    {"total", ""},
    {"of", ""},
    {"attention", ""},
    {"attn", ""},
};

// Words that distinguish keys more than that they are sizes.
constexpr std::string_view kSubjects[]{"experts",
                                       "heads",
                                       "layers",
                                       "vocab",
                                       "window",
                                       "labels",
                                       "positions",
                                       "rank",
                                       "groups",
                                       "buckets",
                                       "image",
                                       "patch",
                                       "channels"};

std::string_view subjectOf(std::string_view word)
{
    const auto* known =
        std::find_if(std::begin(kSynonyms), std::end(kSynonyms), [word](const Synonym& synonym) {
            return synonym.word == word;
        });
    return known == std::end(kSynonyms) ? word : known->subject;
}

// "num_key_value_heads" has the words kv and heads.
Words wordsOf(std::string_view key)
{
    Words words;
    while (!key.empty()) {
        const std::size_t end = std::min(key.find('_'), key.size());
        if (const std::string_view word = subjectOf(key.substr(0, end)); !word.empty()) {
            words.insert(word);
        }
        key.remove_prefix(std::min(end + 1, key.size()));
    }
    if (words.count(kHiddenLayer) > 0) {
        words.erase(kSize); // ffn_dim means the same as ffn
    }
    return words;
}

Words subjectsOf(const Words& words)
{
    Words subjects;
    for (const std::string_view subject : kSubjects) {
        if (words.count(subject) > 0) {
            subjects.insert(subject);
        }
    }
    if (subjects.empty() && (words.count(kSize) > 0 || words.count(kHiddenLayer) > 0)) {
        subjects.insert(kSize);
    }
    return subjects;
}

bool shareSubject(const Words& a, const Words& b)
{
    const Words subjects = subjectsOf(a);
    const Words others = subjectsOf(b);
    return std::any_of(subjects.begin(), subjects.end(), [&others](std::string_view subject) {
        return others.count(subject) > 0;
    });
}

} // namespace

bool mayMean(std::string_view unread, std::string_view missing, Likeness likeness)
{
    const Words words = wordsOf(unread);
    const Words wanted = wordsOf(missing);
    if (likeness == Likeness::meaning) {
        return words == wanted;
    }
    // Experts per token are not a number of experts, but a key may omit the "per".
    const bool anotherShare = words.count(kPer) > 0 && wanted.count(kPer) == 0;
    return !anotherShare && shareSubject(words, wanted);
}

} // namespace flopsmith
