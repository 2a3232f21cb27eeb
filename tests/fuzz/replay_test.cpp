// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

// Gives each reader every file of its corpus, and every file cut short at several places: what a
// fuzzer found before, found again by any compiler.
namespace flopsmith {
namespace {

std::map<std::string, FuzzReader>& readers()
{
    static std::map<std::string, FuzzReader> all;
    return all;
}

const std::filesystem::path& corpus()
{
    static const std::filesystem::path folder = FLOPSMITH_SOURCE_DIR "/tests/fuzz/corpus";
    return folder;
}

// How many places a file is cut at; a longer run may name more.
std::size_t cuts()
{
    const char* named = std::getenv("FLOPSMITH_REPLAY_CUTS"); // NOLINT: one thread
    return named == nullptr ? 16 : std::stoul(named);
}

std::vector<std::filesystem::path> files(const std::string& reader)
{
    std::vector<std::filesystem::path> all;
    for (const auto& entry : std::filesystem::directory_iterator(corpus() / reader)) {
        all.push_back(entry.path());
    }
    std::sort(all.begin(), all.end());
    return all;
}

TEST(FuzzCorpus, EachReaderHasOneAndEachHasAReader)
{
    std::vector<std::string> folders;
    for (const auto& entry : std::filesystem::directory_iterator(corpus())) {
        folders.push_back(entry.path().filename());
    }
    std::sort(folders.begin(), folders.end());
    std::vector<std::string> names;
    for (const auto& [name, reader] : readers()) {
        names.push_back(name);
    }

    EXPECT_EQ(names, folders);
}

class FuzzCorpusOf : public testing::Test
{
public:
    explicit FuzzCorpusOf(std::string reader)
        : m_reader(std::move(reader))
    {}

    void TestBody() override
    {
        const std::vector<std::filesystem::path> all = files(m_reader);
        ASSERT_FALSE(all.empty());
        for (const std::filesystem::path& path : all) {
            SCOPED_TRACE(path);
            std::ifstream file(path, std::ios::binary);
            const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
            const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
            for (std::size_t cut = 0; cut <= cuts(); ++cut) {
                EXPECT_EQ(readers()[m_reader](data.data(), data.size() * cut / cuts()), 0);
            }
        }
    }

private:
    std::string m_reader;
};

} // namespace

bool addFuzzReader(const char* name, FuzzReader reader)
{
    readers()[name] = reader;
    testing::RegisterTest("FuzzCorpusOf", name, nullptr, nullptr, __FILE__, __LINE__, [name]() {
        return new FuzzCorpusOf(name); // GoogleTest deletes it
    });
    return true;
}

} // namespace flopsmith
