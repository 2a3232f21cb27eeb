// SPDX-License-Identifier: MIT
#include "core/base/printable.h"
#include "core/json/json_fields.h"
#include "core/json/json_text.h"
#include "core/json/spec_json.h"
#include "core/lab/lab_file.h"

#include <algorithm>
#include <limits>
#include <set>
#include <variant>

// Reading labs.
namespace flopsmith {
namespace {

constexpr std::size_t kMaxArms = 100;
constexpr std::size_t kMaxBudgetDigits = 30; ///< of a number of FLOPs

/// Reads values and keeps the first thing that was wrong: after that everything reads as it was.
class LabFileReader
{
public:
    explicit LabFileReader(std::string place)
        : m_place(std::move(place))
    {}

    LabPlan plan(const Json& json)
    {
        LabPlan plan;
        std::vector<Arm> chosen;
        keep(json::refuseOtherKeys(json,
                                   m_place,
                                   {kLabVersionKey,
                                    "task",
                                    "sizes",
                                    "arms",
                                    "seeds",
                                    "budget",
                                    "base_rate",
                                    "tune",
                                    "evaluate_every",
                                    "precision",
                                    "views",
                                    "rivals"}));
        readTask(json, plan.task);
        readSizes(json, plan.sizes);
        readArms(json, plan.sizes.dModel, chosen);
        integer(json, m_place, "seeds", plan.seeds);
        readBudget(json, plan.budget);
        if (const Json* rate = find(json, m_place, "base_rate")) {
            expect(rate->is_number(), *rate, m_place + ".base_rate", "a number");
            plan.baseRate = m_error.empty() ? rate->get<double>() : plan.baseRate;
        }
        flag(json, "tune", plan.tunes);
        flag(json, "rivals", plan.rivals);
        integer(json, m_place, "evaluate_every", plan.evaluateEvery);
        readPrecision(json, plan.precision);
        readViews(json, plan.branches);
        return m_error.empty() ? planned(plan, chosen) : plan;
    }

    const std::string& error() const { return m_error; }

private:
    void fail(const std::string& sentence)
    {
        if (m_error.empty()) {
            m_error = sentence;
        }
    }

    void keep(const Status& status)
    {
        if (!status) {
            fail(status.error().message);
        }
    }

    void expect(bool holds, const Json& json, const std::string& place, const std::string& wanted)
    {
        if (!holds) {
            fail(json::wrongType(place, json, wanted).message);
        }
    }

    // Null after an error, or without the key.
    const Json* find(const Json& json, const std::string& place, const char* key)
    {
        if (m_error.empty()) {
            keep(json::expectObject(json, place));
        }
        return m_error.empty() && json.contains(key) ? &json.at(key) : nullptr;
    }

    void flag(const Json& json, const char* key, bool& value)
    {
        if (const Json* found = find(json, m_place, key)) {
            expect(found->is_boolean(), *found, m_place + "." + key, "true or false");
            value = m_error.empty() ? found->get<bool>() : value;
        }
    }

    void integer(const Json& json, const std::string& place, const char* key, int& value)
    {
        std::int64_t number = value;
        integer(json, place, key, number);
        if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max()) {
            fail(place + "." + key + ": " + std::to_string(number)
                 + (number < 0 ? " is too small" : " is too large"));
            return;
        }
        value = static_cast<int>(number);
    }

    void integer(const Json& json, const std::string& place, const char* key, std::int64_t& value)
    {
        if (const Json* found = find(json, place, key)) {
            expect(found->is_number_integer(), *found, place + "." + key, "a whole number");
            const bool fits = !found->is_number_unsigned()
                || found->get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max();
            if (!fits) {
                fail(place + "." + key + ": " + jsonText(*found) + " is too large");
            }
            value = m_error.empty() ? found->get<std::int64_t>() : value;
        }
    }

    std::string text(const Json& json, const std::string& place, const char* key)
    {
        const Json* found = find(json, place, key);
        if (found == nullptr) {
            return {};
        }
        expect(found->is_string(), *found, place + "." + key, "a text");
        return m_error.empty() ? found->get<std::string>() : std::string();
    }

    void readTask(const Json& json, TaskSpec& task)
    {
        const std::string place = m_place + ".task";
        const Json* found = find(json, m_place, "task");
        if (found == nullptr) {
            fail(m_place + ": a task is missing; name one, as in \"task\": {\"name\": \"facts\"}");
            return;
        }
        const Result<TaskSpec> named = taskNamed(text(*found, place, "name"));
        if (m_error.empty() && !named) {
            fail(place + ".name: " + named.error().message);
        }
        if (!m_error.empty()) {
            return;
        }
        task = *named;
        std::visit([&](auto& spec) { readTaskFields(*found, place, spec); }, task);
    }

    template <class Task>
    void readTaskFields(const Json& json, const std::string& place, Task& task)
    {
        std::set<std::string> others{"name"};
        if constexpr (std::is_same_v<Task, TextTask> || std::is_same_v<Task, TeacherTask>) {
            task.file = text(json, place, "file");
            task.sha256 = text(json, place, "sha256");
            others.insert({"file", "sha256"});
        }
        keep(json::readFields(task, Task::fields(), json, place, others));
    }

    void readSizes(const Json& json, LabSizes& sizes)
    {
        const std::string place = m_place + ".sizes";
        const Json* found = find(json, m_place, "sizes");
        if (found == nullptr) {
            return;
        }
        if (found->is_string()) {
            const Result<LabSizes> named = sizesNamed(found->get<std::string>());
            if (named) {
                sizes = *named;
            } else {
                fail(place + ": " + named.error().message);
            }
            return;
        }
        keep(json::expectObject(*found, place));
        if (m_error.empty()) {
            keep(json::refuseOtherKeys(*found, place, {"d_model", "layers", "heads", "mixer"}));
        }
        const std::string mixer = text(*found, place, "mixer");
        if (mixer == "fourier") {
            sizes.mixer = LabMixer::fourier;
        } else if (!mixer.empty() && mixer != "attention") {
            fail(place + ".mixer: \"" + excerpt(mixer)
                 + "\" is unknown; it must be attention or fourier");
        }
        integer(*found, place, "d_model", sizes.dModel);
        integer(*found, place, "layers", sizes.layers);
        integer(*found, place, "heads", sizes.heads);
        if (m_error.empty()) {
            if (const Status legal = validatedSizes(sizes); !legal) {
                fail(place + "." + legal.error().message);
            }
        }
    }

    void readArms(const Json& json, int dModel, std::vector<Arm>& arms)
    {
        const std::string place = m_place + ".arms";
        const Json* found = find(json, m_place, "arms");
        if (found == nullptr) {
            fail(m_place + ": arms are missing; list some, as in \"arms\": [\"spectral\"]");
            return;
        }
        expect(found->is_array() && found->size() <= kMaxArms,
               *found,
               place,
               "a list of at most " + std::to_string(kMaxArms));
        for (std::size_t i = 0; m_error.empty() && i < found->size(); ++i) {
            const Result<Arm> arm =
                armFromJson((*found)[i], dModel, place + "[" + std::to_string(i) + "]");
            if (arm) {
                arms.push_back(*arm);
            } else {
                fail(arm.error().message);
            }
        }
    }

    void readBudget(const Json& json, LabBudget& budget)
    {
        const std::string place = m_place + ".budget";
        const Json* found = find(json, m_place, "budget");
        if (found == nullptr) {
            return;
        }
        keep(json::expectObject(*found, place));
        if (m_error.empty()) {
            keep(json::refuseOtherKeys(*found, place, {"steps", "flops"}));
        }
        if (m_error.empty() && found->contains("steps") == found->contains("flops")) {
            fail(place + ": name either steps or flops");
        }
        integer(*found, place, "steps", budget.steps);
        const Json* flops = find(*found, place, "flops");
        if (flops != nullptr) {
            budget.kind = BudgetKind::flops;
            budget.flops = wholeNumber(*flops, place + ".flops");
        }
    }

    // A whole number, or digits of one that is too large for JSON.
    Count wholeNumber(const Json& json, const std::string& place)
    {
        const std::string digits = json.is_string() ? json.get<std::string>()
            : json.is_number_unsigned()             ? std::to_string(json.get<std::uint64_t>())
                                                    : std::string();
        Count number = 0;
        for (const char digit : digits) {
            if (digit < '0' || digit > '9') {
                number = -1;
                break;
            }
            number = number * 10 + (digit - '0');
        }
        if (digits.empty() || digits.size() > kMaxBudgetDigits || number < 0) {
            fail(json::wrongType(place, json, "a whole number, or its digits as a text").message);
            return 0;
        }
        return number;
    }

    void readPrecision(const Json& json, LabPrecision& precision)
    {
        const std::string name = text(json, m_place, "precision");
        if (name == "float64") {
            precision = LabPrecision::float64;
        } else if (!name.empty() && name != "float32") {
            fail(m_place + ".precision: \"" + excerpt(name)
                 + "\" is unknown; it must be float32 "
                   "or float64");
        }
    }

    void readViews(const Json& json, std::vector<LabView>& views)
    {
        const std::string place = m_place + ".views";
        const Json* found = find(json, m_place, "views");
        if (found == nullptr) {
            return;
        }
        expect(found->is_array(), *found, place, "a list");
        const std::vector<std::string_view> names = enumNames<LabView>();
        for (std::size_t i = 0; m_error.empty() && i < found->size(); ++i) {
            const Json& view = (*found)[i];
            const auto known = std::find(
                names.begin(), names.end(), view.is_string() ? view.get<std::string>() : "");
            if (known == names.end()) {
                fail(json::wrongType(place, view, "steps, flops or seconds").message);
                return;
            }
            views.push_back(static_cast<LabView>(known - names.begin()));
        }
    }

    LabPlan planned(const LabPlan& plan, const std::vector<Arm>& chosen)
    {
        const Result<LabPlan> whole = plannedLab(plan, chosen);
        if (!whole) {
            fail(m_place + ": " + whole.error().message);
            return plan;
        }
        return *whole;
    }

    std::string m_place;
    std::string m_error;
};

} // namespace

Result<Arm> armFromJson(const Json& json, int dModel, const std::string& place)
{
    if (json.is_string()) {
        const std::string name = json.get<std::string>();
        const Result<FfnSpec> ffn = armNamed(name, dModel);
        if (!ffn) {
            return Error{place + ": " + ffn.error().message};
        }
        return Arm{.name = name, .ffn = *ffn};
    }
    if (const Status object = json::expectObject(json, place); !object) {
        return object.error();
    }
    if (const Status keys = json::refuseOtherKeys(json, place, {"name", "ffn"}); !keys) {
        return keys.error();
    }
    if (!json.contains("name") || !json.at("name").is_string() || !json.contains("ffn")) {
        return Error{place + ": an arm is a known name, or has a name and an ffn"};
    }
    const std::string name = json.at("name").get<std::string>();
    if (name.empty() || name.size() > 60 || !isPrintable(name)) {
        return Error{place + ".name: an arm needs a name of 1 \xE2\x80\xA6 60 bytes on one line"};
    }
    const Result<FfnSpec> ffn = ffnFromJson(json.at("ffn"), place + ".ffn");
    if (!ffn) {
        return ffn.error();
    }
    return Arm{.name = name, .ffn = *ffn};
}

Result<LabPlan> labFromJson(const Json& json, const std::string& place)
{
    if (const Status object = json::expectObject(json, place); !object) {
        return object.error();
    }
    LabFileReader reader(place);
    const LabPlan plan = reader.plan(json);
    if (!reader.error().empty()) {
        return Error{reader.error()};
    }
    return plan;
}

Result<LabPlan> readLab(std::string_view text, const std::string& source)
{
    const Result<Json> json = parsedJson(text, source);
    if (!json) {
        return json.error();
    }
    if (!json->is_object() || !json->contains(kLabVersionKey)
        || !json->at(kLabVersionKey).is_number_integer()) {
        return Error{source + ": this is no lab; a lab begins with \"" + kLabVersionKey + "\": 1"};
    }
    const auto version = json->at(kLabVersionKey).get<std::int64_t>();
    if (version < 1 || version > kLabFormat) {
        return Error{source + ": this lab has version " + std::to_string(version)
                     + "; this program reads up to " + std::to_string(kLabFormat)};
    }
    return labFromJson(*json, source);
}

} // namespace flopsmith
