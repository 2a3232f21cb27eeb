// SPDX-License-Identifier: MIT
#include "core/share/share_code.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/model/presets.h"
#include "core/model/values.h"
#include "core/share/deflate.h"
#include "core/share/design_text.h"
#include "core/share/envelope.h"

#include <algorithm>
#include <optional>

namespace flopsmith {
namespace {

constexpr std::string_view kScheme = "flopsmith:";
constexpr std::string_view kCodeBlanks = " \t\r\n\f\v";
constexpr std::size_t kLongestPage = 64;
constexpr std::size_t kLongestNearPreset = 32'768; // in longer texts a preset is a small part

// The first line of the text that is compressed is the page, the second one the design.
struct PresetText
{
    std::string_view id;
    std::string text;
    std::uint32_t hash;
};

PresetText presetText(std::string_view id, const Scenario& scenario)
{
    std::string text = "\n" + sharedText({.scenario = scenario});
    const std::uint32_t hash = checksum(text) & 0xFFFFFFU;
    return {id, std::move(text), hash};
}

const std::vector<PresetText>& presetTexts()
{
    static const std::vector<PresetText> kTexts = [] {
        std::vector<PresetText> texts;
        for (const Preset& preset : presets()) {
            texts.push_back(presetText(preset.id, preset.scenario()));
        }
        return texts;
    }();
    return kTexts;
}

// The presets of codes that were made before presets had the values and the precision in which they
// are published.
const std::vector<PresetText>& olderPresetTexts()
{
    static const std::vector<PresetText> kTexts = [] {
        std::vector<PresetText> texts;
        for (const Preset& preset : presets()) {
            texts.push_back(presetText(preset.id, {withoutValues(preset.make()), {}}));
        }
        return texts;
    }();
    return kTexts;
}

// With the preset that makes it shortest as its dictionary, or with none.
Result<std::string> shortestCode(const std::string& text)
{
    if (text.size() > kLongestSharedText) {
        return Error{"the design is too large for a share code: " + std::to_string(text.size())
                     + " of at most " + std::to_string(kLongestSharedText)
                     + " bytes; save it as a file"};
    }
    Result<std::string> best = sealed({.bytes = deflated(text, {})});
    if (text.size() > kLongestNearPreset) {
        return best;
    }
    for (const PresetText& preset : presetTexts()) {
        Result<std::string> code = sealed({.preset = std::string(preset.id),
                                           .presetHash = preset.hash,
                                           .bytes = deflated(text, preset.text)});
        if (code && (!best || code->size() < best->size())) {
            best = std::move(code);
        }
    }
    return best;
}

std::string withoutBlanks(std::string_view text)
{
    std::string letters;
    for (const char c : text) {
        if (kCodeBlanks.find(c) == std::string_view::npos) {
            letters += c;
        }
    }
    return letters;
}

std::string_view withoutScheme(std::string_view text)
{
    return text.substr(0, kScheme.size()) == kScheme ? text.substr(kScheme.size()) : text;
}

bool isPageName(std::string_view page)
{
    return page.size() <= kLongestPage && isPrintable(page)
        && page.find('\n') == std::string_view::npos;
}

// The text of the envelope's preset; empty if it names none.
Result<std::string_view> similarText(const Envelope& envelope, const std::string& name)
{
    if (envelope.preset.empty()) {
        return std::string_view{};
    }
    for (const auto* texts : {&presetTexts(), &olderPresetTexts()}) {
        for (const PresetText& each : *texts) {
            if (each.id == envelope.preset && each.hash == envelope.presetHash) {
                return std::string_view(each.text);
            }
        }
    }
    if (findPreset(envelope.preset) == nullptr) {
        return Error{name + ": the code changes the preset \"" + excerpt(envelope.preset)
                     + "\", which this version does not have; open it with the Flopsmith that made "
                       "it, or ask for the design as a file"};
    }
    return Error{name + ": the code changes the preset \"" + envelope.preset
                 + "\" of another version, which differs from that of this one; open it with "
                   "the Flopsmith that made it, or ask for the design as a file"};
}

Result<SharedDesign> designOfText(std::string_view text, const std::string& name, Illegal illegal)
{
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos || !isPageName(text.substr(0, end))) {
        return Error{name + ": the code holds no design; it would begin with the name of a page"};
    }
    SharedDesign design{.page = std::string(text.substr(0, end))};
    FLOPSMITH_TRY(const Json json, parsedJson(text.substr(end + 1), name));
    FLOPSMITH_TRY(Project project, projectFromJson(json, name, illegal, &design.notes));
    design.project = std::move(project);
    design.project.view.clear();
    return design;
}

// Whether reading the code yields the shared project.
bool readsBack(const Result<std::string>& code, const Project& project)
{
    const Result<SharedDesign> read =
        code ? parsedShareCode(*code) : Result<SharedDesign>(code.error());
    return read && read->project == project;
}

} // namespace

Result<std::string> shareCode(const Project& project, std::string_view page)
{
    if (!isPageName(page)) {
        return Error{"the page \"" + excerpt(page) + "\" is no name of a page, which has at most "
                     + std::to_string(kLongestPage) + " characters"};
    }
    Project shared = project;
    shared.view.clear();
    const std::string line = std::string(page) + "\n";
    const Result<std::string> code = shortestCode(line + sharedText(shared));
    if (readsBack(code, shared)) {
        return code;
    }
    const Result<std::string> inFull = shortestCode(line + sharedTextInFull(shared));
    if (!inFull) {
        return inFull;
    }
    const Result<SharedDesign> read = parsedShareCode(*inFull);
    return read ? inFull : Result<std::string>(read.error());
}

std::string shareLink(std::string_view code)
{
    return std::string(kScheme) + std::string(code);
}

bool isShareCode(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(kCodeBlanks);
    if (first == std::string_view::npos) {
        return false;
    }
    const std::string_view code = withoutScheme(text.substr(first));
    const std::size_t digits = code.find_first_not_of("0123456789", 2);
    return code.substr(0, 2) == "FS" && digits != std::string_view::npos && digits > 2
        && code[digits] == '.';
}

Result<SharedDesign> parsedShareCode(std::string_view text, Illegal illegal)
{
    if (!isShareCode(text)) {
        return Error{shortCode(text) + ": no share code, which begins with FS1."};
    }
    constexpr std::size_t kMaxText = 2 * kLongestShareCode; // with line breaks
    const std::string letters = withoutBlanks(text.substr(0, kMaxText));
    const std::string_view code = withoutScheme(letters);
    const std::string name = shortCode(code);
    FLOPSMITH_TRY(const Envelope envelope, openedEnvelope(code));
    FLOPSMITH_TRY(const std::string_view similar, similarText(envelope, name));
    const auto unfolded = inflated(envelope.bytes, similar, kLongestSharedText);
    if (!unfolded) {
        return Error{name + ": the code does not unfold to a design of at most "
                     + std::to_string(kLongestSharedText) + " bytes"};
    }
    Result<SharedDesign> design = designOfText(*unfolded, name, illegal);
    if (design) {
        design->preset = envelope.preset;
    }
    return design;
}

} // namespace flopsmith
