// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/slurm/slurm_job.h"

#include "core/base/printable.h"
#include "core/base/sha256.h"
#include "core/base/text_file.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <filesystem>

namespace flopsmith::app {
namespace {

constexpr const char* kJobKey = "flopsmith_slurm_job";
constexpr int kMaxTasks = 10'000;
constexpr int kMaxOfATask = 1'024; ///< processors or GPUs
constexpr std::size_t kHashDigits = 8;

bool isOneLine(const std::string& text)
{
    return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

bool namesOwnOutput(const std::vector<std::string>& command)
{
    return std::ranges::any_of(command, [](const std::string& word) {
        return word.starts_with("-o") || word.starts_with("--output") || word.starts_with("--share")
            || word.starts_with("--store") || word.starts_with("--format");
    });
}

std::vector<std::string> textsIn(const Json& json, const char* key)
{
    std::vector<std::string> texts;
    const Json* found = json.find(key);
    if (found != nullptr && found->is_array()) {
        for (const Json& each : *found) {
            texts.push_back(each.is_string() ? each.get<std::string>() : std::string());
        }
    }
    return texts;
}

std::string textIn(const Json& json, const char* key)
{
    const Json* found = json.find(key);
    return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

int numberIn(const Json& json, const char* key)
{
    const Json* found = json.find(key);
    return found != nullptr && found->is_number_integer() ? found->get<int>() : 0;
}

} // namespace

SlurmWork SlurmJob::work() const
{
    return !command.empty() && command.front() == "lab" ? SlurmWork::lab : SlurmWork::sweep;
}

std::string SlurmJob::name() const
{
    return "flopsmith-" + sha256(folder).substr(0, kHashDigits);
}

std::string SlurmJob::file(int task, const std::string& ending) const
{
    return folder + "/task-" + std::to_string(task) + "." + ending;
}

std::string SlurmJob::result(int task) const
{
    return file(task, work() == SlurmWork::lab ? "jsonl" : "csv");
}

Status validated(const SlurmJob& job)
{
    const std::vector<std::string>& words = job.command;
    const bool isLab = words.size() >= 2 && words[0] == "lab" && words[1] == "run";
    if (!isLab && (words.empty() || words[0] != "sweep")) {
        return Error{"an array shares a sweep or a lab; write -- sweep \xE2\x80\xA6 or -- lab run "
                     "\xE2\x80\xA6 at the end"};
    }
    if (namesOwnOutput(words)) {
        return Error{"leave out --output, --format, --store and --share: each task gets its own"};
    }
    if (job.tasks < 1 || job.tasks > kMaxTasks) {
        return Error{"--tasks must be 1 \xE2\x80\xA6 " + std::to_string(kMaxTasks)};
    }
    if (job.cpus < 1 || job.cpus > kMaxOfATask || job.gpus < 0 || job.gpus > kMaxOfATask) {
        return Error{"--cpus must be 1 \xE2\x80\xA6 1024 and --gpus 0 \xE2\x80\xA6 1024"};
    }
    std::vector<std::string> texts = job.more;
    texts.insert(texts.end(), {job.folder, job.place, job.program, job.time, job.partition});
    texts.insert(texts.end(), words.begin(), words.end());
    if (!std::ranges::all_of(texts, isOneLine)) {
        return Error{"folder, options and command must each stand on one line"};
    }
    return Done{};
}

std::string requestText(const SlurmJob& job)
{
    const Json json{{kJobKey, 1},
                    {"folder", job.folder},
                    {"place", job.place},
                    {"program", job.program},
                    {"command", job.command},
                    {"tasks", job.tasks},
                    {"time", job.time},
                    {"partition", job.partition},
                    {"gpus", job.gpus},
                    {"cpus", job.cpus},
                    {"options", job.more}};
    return jsonText(json, 2) + "\n";
}

Result<SlurmJob> jobOfFolder(const std::string& folder)
{
    const std::string path = folder + "/request.json";
    const Result<std::string> text = textOfFile(path);
    if (!text) {
        return Error{printable(folder)
                     + " is no folder of flopsmith slurm script: " + text.error().message};
    }
    FLOPSMITH_TRY(const Json json, parsedJson(*text, printable(path)));
    if (!json.is_object() || numberIn(json, kJobKey) != 1) {
        return Error{printable(path) + " is no request that this version of flopsmith wrote"};
    }
    SlurmJob job{.folder = folder,
                 .place = textIn(json, "place"),
                 .program = textIn(json, "program"),
                 .command = textsIn(json, "command"),
                 .tasks = numberIn(json, "tasks"),
                 .time = textIn(json, "time"),
                 .partition = textIn(json, "partition"),
                 .gpus = numberIn(json, "gpus"),
                 .cpus = numberIn(json, "cpus"),
                 .more = textsIn(json, "options")};
    std::error_code failed;
    job.folder = std::filesystem::canonical(folder, failed).string();
    const Status legal = failed ? Status(Error{failed.message()}) : validated(job);
    return legal ? Result<SlurmJob>(job) : Error{printable(path) + ": " + legal.error().message};
}

} // namespace flopsmith::app
