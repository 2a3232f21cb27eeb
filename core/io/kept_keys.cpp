// SPDX-License-Identifier: MIT
#include "core/io/kept_keys.h"

#include "core/base/printable.h"
#include "core/io/hugging_face/similar_keys.h"
#include "core/json/json_text.h"
#include "core/parameter/changed_parameters.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace flopsmith {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kRuns = "/model/blocks/";
constexpr std::size_t kMostNotes = 20; // more would be read by nobody

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

/// Writes an object anew with the keys that were kept of it.
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
        addFollowers({});
        for (const auto& item : object.items()) {
            m_merged[item.key()] = std::move(item.value());
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
        // Several follow the empty name: it also stands for the beginning.
        for (auto next = m_followers.lower_bound(after);
             next != m_followers.end() && next->first == after;
             next = m_followers.lower_bound(after)) {
            const KeptKey& key = *next->second;
            m_followers.erase(next);
            m_merged[key.key] = ownJson(key.value);
            after = key.key;
        }
    }

    std::multimap<std::string_view, const KeptKey*> m_followers{};
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

/// Tells which runs of a model are surely the same after an edit.
class RunsThrough
{
public:
    RunsThrough(const std::vector<BlockRun>& before, const std::vector<BlockRun>& after)
        : m_before(before)
        , m_after(after)
        , m_sameNumber(before.size() == after.size())
        , m_moved(m_sameNumber
                  && std::is_permutation(after.begin(), after.end(), before.begin(), before.end()))
    {
        const auto differ =
            std::mismatch(before.begin(), before.end(), after.begin(), after.end()).first;
        m_firstChange = static_cast<std::size_t>(differ - before.begin());
    }

    bool isSame(std::size_t run) const
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
    // Whether the block was that of another run before.
    bool equalsAnother(std::size_t run) const
    {
        for (std::size_t i = 0; i < m_before.size(); ++i) {
            if (i != run && m_before[i].block == m_after[run].block) {
                return true;
            }
        }
        return false;
    }

    const std::vector<BlockRun>& m_before;
    const std::vector<BlockRun>& m_after;
    bool m_sameNumber;
    bool m_moved;
    std::size_t m_firstChange = 0;
};

} // namespace

bool isInModel(const KeptKey& kept)
{
    constexpr std::string_view kModel = "/model";
    return kept.object.substr(0, kModel.size()) == kModel;
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
        if (int& count = objects[key.key]; count > 0 && notes.size() < kMostNotes) {
            notes.push_back(noteOn(key, count));
            count = 0;
        }
    }
    if (keys > kMostNotes) {
        const auto more = keys - kMostNotes;
        notes.push_back(std::to_string(more) + (more == 1 ? " more key is" : " more keys are")
                        + " not known to this version, kept");
    }
    return notes;
}

void putBack(Json& project, const std::vector<KeptKey>& kept)
{
    for (auto first = kept.begin(); first != kept.end();) {
        const auto end = std::find_if(
            first, kept.end(), [first](const KeptKey& key) { return key.object != first->object; });
        const Json::json_pointer pointer(first->object);
        if (project.contains(pointer) && project[pointer].is_object()) {
            Json& object = project[pointer];
            object = KeyMerger({first, end}).merged(object);
        }
        first = end;
    }
}

std::vector<KeptKey> keptThrough(const std::vector<KeptKey>& kept,
                                 const Model& before,
                                 const Model& after)
{
    if (kept.empty()) {
        return {};
    }
    const RunsThrough runs(before.runs, after.runs);
    std::vector<KeptKey> left;
    for (const KeptKey& key : kept) {
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
