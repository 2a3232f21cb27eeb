// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/results_file.h"

#include "core/json/json_text.h"
#include "core/store/signature.h"
#include "tests/core/store/store_fixture.h"

#include <gmock/gmock.h>

#include <set>

namespace flopsmith {
namespace {

using test::kDevice;
using test::questionAbout;
using test::resultAt;
using test::someDescribed;
using testing::HasSubstr;

class ResultsFileTest : public test::StoreTest
{
protected:
    // What a colleague's store holds, as its export.
    static std::string colleaguesText()
    {
        MachineResults gpu{.machine = {.described = someDescribed(), .seen = 50}};
        gpu.machine.described.device = "Example GPU";
        gpu.machine.described.kind = "cuda";
        std::set<std::string> questions; // a store has one result per question
        for (const StoredResult& result : test::randomResults(5, 25)) {
            if (questions.insert(questionText(result.question)).second) {
                gpu.results.push_back(result);
            }
        }
        gpu.peaks = {{0, PeaksMeasured{0, 2, 6.1e11, 3.4e10, "made up"}, 7}};
        return jsonText(resultsJson({"lab-gpu", {gpu}}, "flopsmith 0.1.0"));
    }

    static ResultsFile read(const std::string& text)
    {
        Result<ResultsFile> file = resultsOfText(text, "file");
        FLOPSMITH_CHECK(file.ok());
        return std::move(*file);
    }

    std::string everything()
    {
        MeasurementStore store = open();
        return jsonText(resultsJson({"all", *store.list()}, ""));
    }
};

TEST_F(ResultsFileTest, WhatIsExportedReadsBackTheSame)
{
    const std::string text = colleaguesText();
    const ResultsFile sent = read(text);

    EXPECT_EQ(sent.name, "lab-gpu");
    ASSERT_EQ(sent.machines.size(), 1U);
    EXPECT_GT(sent.machines[0].results.size(), 20U);
    EXPECT_EQ(jsonText(resultsJson(sent, "flopsmith 0.1.0")), text);
}

TEST_F(ResultsFileTest, ImportingTwiceIsImportingOnce)
{
    const ResultsFile sent = read(colleaguesText());
    const auto count = static_cast<std::int64_t>(sent.machines[0].results.size());
    MeasurementStore store = open();

    const auto first = store.import(sent.machines, sent.name);
    const std::string once = everything();
    const auto second = store.import(sent.machines, sent.name);

    EXPECT_EQ(first->added, count);
    EXPECT_EQ(second->added, 0);
    EXPECT_EQ(second->renewed, 0);
    EXPECT_EQ(second->known, count);
    EXPECT_EQ(everything(), once);
}

TEST_F(ResultsFileTest, OnlyLaterResultsReplaceThoseThatAreThere)
{
    MachineResults machine{.machine = {.described = someDescribed(), .seen = 1}};
    machine.results = {resultAt(questionAbout(1), 100)};
    MeasurementStore store = open();
    ASSERT_TRUE(store.import({&machine, 1}, "lab").ok());
    machine.results[0].taken = 50;
    EXPECT_EQ(store.import({&machine, 1}, "lab")->known, 1);
    machine.results[0].taken = 150;
    EXPECT_EQ(store.import({&machine, 1}, "lab")->renewed, 1);
    EXPECT_EQ(store.list()->front().results[0].taken, 150);
}

TEST_F(ResultsFileTest, ImportedResultsAreADeviceOfTheirOwnAndAnswerForNoOther)
{
    const ResultsFile sent = read(colleaguesText());
    MeasurementStore store = open();
    ASSERT_TRUE(store.import(sent.machines, sent.name).ok());

    const auto devices = store.importedDevices();
    ASSERT_EQ(devices->size(), 1U);
    const ImportedDevice& gpu = devices->front();
    EXPECT_EQ(gpu.device, (Device{"GPU of lab-gpu (imported)", {}}));
    EXPECT_EQ(gpu.results, static_cast<std::int64_t>(sent.machines[0].results.size()));
    const MeasureRequest question = sent.machines[0].results[0].question;
    EXPECT_TRUE(store.find(store.machineOf(gpu.device)->value(), question)->has_value());

    // The very same machine, here.
    const auto mine = store.seen(kDevice, sent.machines[0].machine.described, 60);
    EXPECT_FALSE(store.find(*mine, question)->has_value());
    EXPECT_EQ(store.list({.device = "gpu of lab"})->size(), 1U);
}

TEST_F(ResultsFileTest, TwoGpusOfOneOriginHaveTwoNames)
{
    MachineResults one{.machine = {.described = someDescribed(), .seen = 1}};
    one.results = {resultAt(questionAbout(1), 1)};
    MachineResults two = one;
    two.machine.described.device = "Another CPU";
    MeasurementStore store = open();
    ASSERT_TRUE(store.import(std::vector{one, two}, "lab").ok());

    const auto devices = store.importedDevices();

    ASSERT_EQ(devices->size(), 2U);
    EXPECT_NE(devices->at(0).device.name, devices->at(1).device.name);
    EXPECT_EQ(store.machineOf(devices->at(1).device)->value().described.device,
              devices->at(1).machine.described.device);
}

TEST_F(ResultsFileTest, GarbageIsRefusedWithOneSentence)
{
    const std::string good = colleaguesText();
    const auto with = [&good](const std::string& from, const std::string& to) {
        std::string text = good;
        const std::size_t at = text.find(from);
        FLOPSMITH_CHECK(at != std::string::npos);
        return text.replace(at, from.size(), to);
    };
    const std::vector<std::pair<std::string, std::string>> cases{
        {"", "file"},
        {"[]", "these are no results"},
        {R"({"flopsmith_hardware":1})", "these are no results"},
        {with("\"flopsmith_results\":1", "\"flopsmith_results\":2"),
         "reads results of version 1, not 2"},
        {with("\"name\":\"lab-gpu\"", "\"name\":\"\""), "file: name"},
        {with("\"name\":\"lab-gpu\"", "\"name\":\"a\\nb\""), "file: name"},
        {with("\"name\":\"lab-gpu\"", "\"name\":\"a\\u009bb\""), "file: name"},
        {with("\"name\":\"lab-gpu\"", "\"name\":\"a\\u202eb\""), "file: name"},
        {with("\"taken\":", "\"took\":"), "file: machines[0].results[0].taken: missing"},
        {with("\"median_seconds\":", "\"median_seconds\":-"), "results[0].measured.median_seconds"},
        {with("\"precision\":", "\"accuracy\":"), "results[0].question.precision: missing"},
        {with("\"kind\":\"ffn\"", "\"kind\":\"cake\""),
         "].question.operation.kind: \"cake\" is unknown"},
        {with("\"program\":\"flopsmith-bench", "\"programme\":\"flopsmith-bench"),
         "described.program"},
        {with("\"peaks\":[", "\"peaks\":[1,"), "file: machines[0].peaks[0]"}};
    for (const auto& [text, sentence] : cases) {
        const auto sent = resultsOfText(text, "file");
        ASSERT_FALSE(sent.ok()) << sentence;
        EXPECT_THAT(sent.error().message, HasSubstr(sentence));
        EXPECT_EQ(sent.error().message.find('\n'), std::string::npos);
    }
}

TEST_F(ResultsFileTest, ReadingIsTotal)
{
    const std::string good = colleaguesText();
    std::mt19937_64 random(11);
    int read = 0;
    for (int trial = 0; trial < 150; ++trial) {
        std::string text = good.substr(0, trial % 5 == 0 ? random() % good.size() : good.size());
        for (std::size_t flips = random() % 4; flips > 0 && !text.empty(); --flips) {
            text[random() % text.size()] = static_cast<char>(random());
        }
        const auto sent = resultsOfText(text, "file");
        if (sent) {
            ++read;
            EXPECT_TRUE(resultsOfText(jsonText(resultsJson(*sent, "")), "again").ok());
        } else {
            EXPECT_FALSE(sent.error().message.empty());
        }
    }
    EXPECT_GT(read, 10);
    EXPECT_LT(read, 140);
}

TEST_F(ResultsFileTest, AnExportDoesNotTellOneRunOfTheSystemFromAnother)
{
    Described described = someDescribed();
    ASSERT_FALSE(described.environment.hostId.empty());
    described.environment.kernel = "Linux 6.1";
    MachineResults machine{.machine = {.described = described},
                           .results = {resultAt(questionAbout(64), 5)}};

    const std::string text = jsonText(resultsJson({"lab-gpu", {machine}}, ""));

    EXPECT_EQ(text.find("host_id"), std::string::npos);
    EXPECT_EQ(text.find("load_average"), std::string::npos);
    EXPECT_NE(text.find("kernel"), std::string::npos);
}

// As earlier programs wrote it.
TEST_F(ResultsFileTest, AnExportWithHostAndLoadIsStillRead)
{
    std::string text = colleaguesText();
    const std::string environment = "\"virtual_machine\":";
    text.insert(text.find(environment), "\"host_id\":\"1b9d\",\"load_average\":0.5,");

    const auto sent = resultsOfText(text, "file");

    ASSERT_TRUE(sent.ok()) << sent.error().message;
    EXPECT_EQ(sent->name, "lab-gpu");
}

} // namespace
} // namespace flopsmith
