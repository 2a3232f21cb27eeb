// SPDX-License-Identifier: MIT
#include "core/store/results_file.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/json/object_reader.h"
#include "core/protocol/wire/wire.h"
#include "core/store/signature.h"

namespace flopsmith {
namespace {

constexpr const char* kMark = "flopsmith_results";
constexpr int kVersion = 1;
constexpr std::size_t kLongestName = 60;

// A protocol message without protocol version, type and id.
template <class Message>
Json bodyOf(const Message& message)
{
    Json json = ownJson(lineOf(Answer(message)));
    for (const char* key : {"protocol", "type", "id"}) {
        json.erase(key);
    }
    return json;
}

// The protocol line with this body.
std::string lineOfBody(Json body, const char* type)
{
    body["protocol"] = kProtocolVersion;
    body["type"] = type;
    body["id"] = 0;
    return jsonText(body);
}

// "message.threads: missing" → "machines[0].results[1].measured.threads: missing"
Error placed(const std::string& sentence, const std::string& place)
{
    const std::string general = "message";
    return {sentence.starts_with(general) ? place + sentence.substr(general.size())
                                          : place + "." + sentence};
}

template <class Message>
Message messageIn(ObjectReader& read, const std::string& key, const char* type)
{
    const ObjectReader body = read.object(key);
    if (!read.ok()) {
        return {};
    }
    const Result<Answer> answer = answerOf(lineOfBody(body.value(), type));
    if (!answer) {
        read.note(placed(answer.error().message, body.place()));
        return {};
    }
    return std::get<Message>(*answer); // reading has checked the type
}

MeasureRequest questionIn(ObjectReader& read)
{
    const ObjectReader body = read.object("question");
    if (!read.ok()) {
        return {};
    }
    const auto request = requestOf(lineOfBody(body.value(), "measure"));
    if (const auto* failure = std::get_if<Failure>(&request)) {
        read.note(placed(failure->sentence, body.place()));
        return {};
    }
    MeasureRequest question = std::get<MeasureRequest>(std::get<Request>(request));
    question.budgetSeconds = MeasureRequest{}.budgetSeconds;
    return question;
}

UnixSeconds time(ObjectReader& read, const std::string& key)
{
    return read.whole(key, 0, kLargestExactDouble - 1);
}

StoredResult resultOf(ObjectReader& read)
{
    StoredResult result;
    result.taken = time(read, "taken");
    result.question = questionIn(read);
    result.measured = messageIn<Measured>(read, "measured", "measured");
    return result;
}

StoredPeaks peaksOf(ObjectReader& read)
{
    constexpr std::int64_t kMaxThreads = 4096;
    StoredPeaks peaks;
    peaks.taken = time(read, "taken");
    peaks.threads = static_cast<int>(read.whole("threads", 0, kMaxThreads));
    peaks.peaks = messageIn<PeaksMeasured>(read, "measured", "peaks_measured");
    return peaks;
}

MachineResults machineOf(ObjectReader& read)
{
    MachineResults machine;
    machine.machine.origin = read.textOr("origin", "");
    if (!machine.machine.origin.empty()) {
        read.note(checkedOrigin(machine.machine.origin, read.placeOf("origin")));
    }
    machine.machine.seen = time(read, "seen");
    machine.machine.described = messageIn<Described>(read, "described", "described");
    for (ObjectReader& result : read.objects("results")) {
        machine.results.push_back(resultOf(result));
    }
    for (ObjectReader& peaks : read.objects("peaks")) {
        machine.peaks.push_back(peaksOf(peaks));
    }
    return machine;
}

// Removes fields that an export does not need and that others need not know.
template <class Message>
Message withoutTraces(Message message)
{
    message.environment.hostId.clear();
    message.environment.loadAverage.reset();
    return message;
}

Json resultJson(const StoredResult& result)
{
    return {{"taken", result.taken},
            {"question", questionJson(result.question)},
            {"measured", bodyOf(withoutTraces(result.measured))}};
}

Json peaksJson(const StoredPeaks& peaks)
{
    return {{"taken", peaks.taken}, {"threads", peaks.threads}, {"measured", bodyOf(peaks.peaks)}};
}

Json machineJson(const MachineResults& machine)
{
    Json json{{"origin", machine.machine.origin},
              {"seen", machine.machine.seen},
              {"described", bodyOf(withoutTraces(machine.machine.described))},
              {"results", Json::array()},
              {"peaks", Json::array()}};
    for (const StoredResult& result : machine.results) {
        json["results"].push_back(resultJson(result));
    }
    for (const StoredPeaks& peaks : machine.peaks) {
        json["peaks"].push_back(peaksJson(peaks));
    }
    return json;
}

bool isOurs(const Json& json)
{
    const Json* mark = json.find(kMark);
    return mark != nullptr && mark->is_number_integer();
}

} // namespace

Json resultsJson(const ResultsFile& file, const std::string& program)
{
    Json json{
        {kMark, kVersion}, {"program", program}, {"name", file.name}, {"machines", Json::array()}};
    for (const MachineResults& machine : file.machines) {
        json["machines"].push_back(machineJson(machine));
    }
    return json;
}

Result<ResultsFile> resultsOfText(std::string_view text, const std::string& source)
{
    FLOPSMITH_TRY(const Json json, parsedJson(text, source));
    if (!isOurs(json)) {
        return Error{source + ": these are no results; flopsmith results export writes some"};
    }
    if (json[kMark] != kVersion) {
        return Error{source + ": this program reads results of version " + std::to_string(kVersion)
                     + ", not " + jsonText(json[kMark])};
    }
    ObjectReader read(json, source + ": ");
    ResultsFile file;
    file.name = read.text("name");
    read.note(checkedOrigin(file.name, read.placeOf("name")));
    for (ObjectReader& machine : read.objects("machines")) {
        file.machines.push_back(machineOf(machine));
    }
    return read.judged(std::move(file));
}

Status checkedOrigin(std::string_view name, const std::string& place)
{
    if (name.empty() || name.size() > kLongestName || !isPrintable(name)) {
        return Error{place + ": expected a name of 1 to " + std::to_string(kLongestName)
                     + " printable characters for where the results come from"};
    }
    return Done{};
}

} // namespace flopsmith
