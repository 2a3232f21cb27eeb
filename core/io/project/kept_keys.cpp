// SPDX-License-Identifier: MIT
#include "core/io/project/kept_keys.h"

#include "core/base/printable.h"
#include "core/json/json_fields.h"
#include "core/json/json_pointer.h"
#include "core/json/json_text.h"
#include "core/json/similar_keys.h"
#include "core/json/spec_json.h"
#include "core/mixer/no_mixer.h"
#include "core/parameter/differences.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::string_view kRuns = "/model/blocks/";
constexpr std::size_t kMaxSentences = 20; // a longer list would not be read
constexpr std::size_t kMaxKeys = 10'000;
constexpr std::size_t kMaxValueBytes = 1U << 20U;
constexpr int kDeepestValue = 32;

// "model.blocks[0].ffn" → "/model/blocks/0/ffn": places consist of known keys and indices.
std::string pointerTo(std::string_view place)
{
    std::string pointer = place.empty() ? "" : "/";
    for (const char letter : place) {
        if (letter == '.' || letter == '[') {
            pointer += '/';
        } else if (letter != ']') {
            pointer += letter;
        }
    }
    return pointer;
}

std::string meantKey(const UnknownKey& unknown)
{
    const std::vector<std::string>& missing = *unknown.missing;
    const auto meant = std::find_if(missing.begin(), missing.end(), [&](const std::string& known) {
        return mayMean(unknown.key, known, Likeness::meaning);
    });
    return meant == missing.end() ? std::string() : *meant;
}

std::string noteOn(const UnknownKey& first, int objects)
{
    std::string note = (first.place.empty() ? "" : first.place + ".") + excerpt(first.key);
    if (objects > 1) {
        note += " and in " + std::to_string(objects - 1)
            + (objects == 2 ? " other place" : " other places");
    }
    note += ": not known to this version, kept";
    const std::string meant = meantKey(first);
    return meant.empty() ? note : note + "; did you mean " + meant + "?";
}

int depthOf(const Json& value)
{
    int deepest = 0;
    if (value.is_structured()) {
        for (const Json& inner : value) {
            deepest = std::max(deepest, depthOf(inner));
        }
        for (const JsonMember& member : value.items()) {
            deepest = std::max(deepest, depthOf(member.value()));
        }
    }
    return value.is_structured() ? deepest + 1 : 0;
}

// How many bytes the values have, by a measure of one.
template <class Measure>
std::size_t valueBytes(const UnknownKeys& unknown, Measure measure)
{
    std::size_t bytes = 0;
    for (const UnknownKey& key : unknown) {
        bytes += key.key.size() + measure(key.value);
    }
    return bytes;
}

std::size_t compactBytes(const std::string& value)
{
    return value.size();
}

// With a line per value, as it is saved.
std::size_t writtenBytes(const std::string& value)
{
    return jsonText(ownJson(value), 2).size();
}

// Writes the object if it is missing because it has its default values.
void writeDefault(Json& project, const std::string& pointer)
{
    const std::size_t slash = std::min(pointer.rfind('/'), pointer.size());
    Json* parent = valueAt(project, std::string_view(pointer).substr(0, slash));
    if (pointer.empty() || valueAt(project, pointer) != nullptr || parent == nullptr
        || !parent->is_object()) {
        return;
    }
    const std::string name = pointer.substr(slash + 1);
    if (name == "norm" || name == "encoder_norm") {
        (*parent)[name] = json::normJson(Norm{});
    } else if (name == "cross") {
        (*parent)[name] = toJson(MixerSpec(NoMixer{}));
    } else if (name == "rules") {
        (*parent)[name] = Json::object();
    }
}

/// Rewrites an object with its unknown keys.
class KeyMerger
{
public:
    explicit KeyMerger(std::span<const KeptKey> kept)
    {
        for (const KeptKey& key : kept) {
            m_followers.emplace(key.after, &key);
        }
    }

    Json merged(Json& object)
    {
        for (const auto& item : object.items()) {
            m_names.insert(item.key());
        }
        addFollowers({});
        for (JsonMember& item : object.items()) {
            m_merged.append(item.key(), std::move(item.value()));
            addFollowers(item.key());
        }
        while (!m_followers.empty()) { // of keys that are gone
            addFollowers(std::string(m_followers.begin()->first));
        }
        return std::move(m_merged);
    }

private:
    void addFollowers(std::string after)
    {
        // The empty name may have several followers: it also stands for the beginning.
        for (auto next = m_followers.lower_bound(after);
             next != m_followers.end() && next->first == after;
             next = m_followers.lower_bound(after)) {
            const KeptKey& key = *next->second;
            m_followers.erase(next);
            if (m_names.insert(key.key).second) {
                m_merged.append(key.key, ownJson(key.value));
            }
            after = key.key;
        }
    }

    std::multimap<std::string_view, const KeptKey*> m_followers{};
    std::unordered_set<std::string> m_names{};
    Json m_merged = Json::object();
};

// Of a key that belongs to a run of blocks: the run, and the part of its block, if it is of one.
struct RunPlace
{
    std::size_t run = 0;
    std::string_view part; ///< "mixer", "ffn", "ffn/stages/1", or empty
};

std::optional<RunPlace> runPlace(std::string_view object)
{
    if (object.substr(0, kRuns.size()) != kRuns) {
        return std::nullopt;
    }
    const std::string_view rest = object.substr(kRuns.size());
    const std::size_t end = std::min(rest.find('/'), rest.size());
    RunPlace place{.part = rest.substr(std::min(end + 1, rest.size()))};
    std::from_chars(rest.data(), rest.data() + end, place.run);
    return place;
}

bool keepsPart(std::string_view part, const Block& before, const Block& after)
{
    if (part == "mixer") {
        return before.mixer.index() == after.mixer.index();
    }
    if (part == "cross") {
        return before.cross.index() == after.cross.index();
    }
    return part.empty() || haveSameVariants(before.ffn, after.ffn);
}

template <class Spec>
std::size_t combinedHash(std::size_t hash, const Spec& spec)
{
    hash = hash * 31 + spec.index();
    for (const Field<Spec>& field : fields(spec)) {
        hash = hash * 31 + std::hash<FieldValue>()(field.value(spec));
    }
    return hash;
}

/// Equal for equal blocks or runs, and nearly always different for others.
struct PointedHash
{
    std::size_t operator()(const Block* block) const
    {
        return combinedHash(combinedHash(combinedHash(0, block->mixer), block->cross), block->ffn);
    }

    std::size_t operator()(const BlockRun* run) const
    {
        return (*this)(&run->block) * 31 + static_cast<std::size_t>(run->repeat);
    }
};

struct PointedEqual
{
    template <class Value>
    bool operator()(const Value* a, const Value* b) const
    {
        return *a == *b;
    }
};

/// How often each value occurs.
template <class Value>
using Occurrences = std::unordered_map<const Value*, int, PointedHash, PointedEqual>;

// Both have the same length.
bool arePermuted(std::span<const BlockRun> before, std::span<const BlockRun> after)
{
    Occurrences<BlockRun> left;
    for (const BlockRun& run : before) {
        ++left[&run];
    }
    return std::all_of(after.begin(), after.end(), [&left](const BlockRun& run) {
        const auto found = left.find(&run);
        return found != left.end() && found->second-- > 0;
    });
}

/// Finds the runs of a model that are certainly the same after an edit.
class RunsThrough
{
public:
    RunsThrough(const std::vector<BlockRun>& before, const std::vector<BlockRun>& after)
        : m_before(before)
        , m_after(after)
        , m_sameNumber(before.size() == after.size())
    {
        const auto differ =
            std::mismatch(before.begin(), before.end(), after.begin(), after.end()).first;
        m_firstChange = static_cast<std::size_t>(differ - before.begin());
        m_moved = m_sameNumber
            && arePermuted(std::span(before).subspan(m_firstChange),
                           std::span(after).subspan(m_firstChange));
    }

    bool isSame(std::size_t run)
    {
        if (run >= m_before.size() || run >= m_after.size()) {
            return false;
        }
        if (run < m_firstChange) {
            return m_sameNumber || !equalsAnother(run);
        }
        const bool sameBlock = m_before[run].block == m_after[run].block;
        return m_sameNumber && !m_moved && (sameBlock || !equalsAnother(run));
    }

private:
    // Whether the block equals a block of another run of the old model.
    bool equalsAnother(std::size_t run)
    {
        if (m_blocks.empty()) {
            for (const BlockRun& each : m_before) {
                ++m_blocks[&each.block];
            }
        }
        const auto found = m_blocks.find(&m_after[run].block);
        const int itself = m_before[run].block == m_after[run].block ? 1 : 0;
        return found != m_blocks.end() && found->second > itself;
    }

    const std::vector<BlockRun>& m_before;
    const std::vector<BlockRun>& m_after;
    Occurrences<Block> m_blocks{}; ///< of the old model; counted on first use
    bool m_sameNumber;
    bool m_moved = false;
    std::size_t m_firstChange = 0;
};

} // namespace

bool isInModel(const KeptKey& kept)
{
    constexpr std::string_view kModel = "/model";
    return kept.object.substr(0, kModel.size()) == kModel;
}

Status withinBounds(const UnknownKeys& unknown)
{
    if (unknown.size() > kMaxKeys) {
        return Error{std::to_string(unknown.size())
                     + " keys are not known to this version; at most " + std::to_string(kMaxKeys)
                     + " are kept"};
    }
    const Error tooLong{"the values of keys that are not known to this version have more than 1 "
                        "MiB, and no more are kept"};
    if (valueBytes(unknown, compactBytes) > kMaxValueBytes) { // before they are written out
        return tooLong;
    }
    for (const UnknownKey& key : unknown) {
        if (depthOf(ownJson(key.value)) > kDeepestValue) {
            return Error{(key.place.empty() ? "" : key.place + ".") + excerpt(key.key)
                         + ": not known to this version, and nested more than "
                         + std::to_string(kDeepestValue) + " deep"};
        }
    }
    return valueBytes(unknown, writtenBytes) > kMaxValueBytes ? Status(tooLong) : Status(Done{});
}

std::vector<KeptKey> keptKeys(const UnknownKeys& unknown)
{
    std::vector<KeptKey> kept;
    for (const UnknownKey& key : unknown) {
        kept.push_back({pointerTo(key.place), key.key, key.after, key.value});
    }
    return kept;
}

std::vector<std::string> keptKeyNotes(const UnknownKeys& unknown)
{
    std::map<std::string_view, int> objects;
    for (const UnknownKey& key : unknown) {
        ++objects[key.key];
    }
    const std::size_t keys = objects.size();
    std::vector<std::string> notes;
    for (const UnknownKey& key : unknown) {
        if (int& count = objects[key.key]; count > 0 && notes.size() < kMaxSentences) {
            notes.push_back(noteOn(key, count));
            count = 0;
        }
    }
    if (keys > kMaxSentences) {
        const auto more = keys - kMaxSentences;
        notes.push_back(std::to_string(more) + (more == 1 ? " more key is" : " more keys are")
                        + " not known to this version, kept");
    }
    return notes;
}

void putBack(Json& project, const std::vector<KeptKey>& kept)
{
    // From the last object to the first, so that parts are searched for before their parent is
    // long.
    for (auto end = kept.rbegin(); end != kept.rend();) {
        const auto before = std::find_if(
            end, kept.rend(), [end](const KeptKey& key) { return key.object != end->object; });
        writeDefault(project, end->object);
        Json* object = valueAt(project, end->object);
        if (object != nullptr && object->is_object()) {
            *object = KeyMerger({before.base(), end.base()}).merged(*object);
        }
        end = before;
    }
}

std::vector<KeptKey> keptThrough(const std::vector<KeptKey>& kept,
                                 const Model& before,
                                 const Model& after)
{
    if (kept.empty()) {
        return {};
    }
    RunsThrough runs(before.runs, after.runs);
    std::vector<KeptKey> left;
    for (const KeptKey& key : kept) {
        if (key.object.starts_with("/model/patterns") && before.patterns != after.patterns) {
            continue; // its pattern is no longer known
        }
        const std::optional<RunPlace> place = runPlace(key.object);
        if (!place
            || (runs.isSame(place->run)
                && keepsPart(
                    place->part, before.runs[place->run].block, after.runs[place->run].block))) {
            left.push_back(key);
        }
    }
    return left;
}

} // namespace flopsmith
