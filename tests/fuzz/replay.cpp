// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

// Gives a target every file of the folders that are named, and every file cut short at several
// places: what a fuzzer found before, found again by any compiler.
int main(int argc, char** argv)
{
    std::vector<std::filesystem::path> files;
    for (int i = 1; i < argc; ++i) {
        for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    if (files.empty()) {
        std::fprintf(stderr, "there is nothing to replay\n");
        return 1;
    }
    for (const std::filesystem::path& path : files) {
        std::ifstream file(path, std::ios::binary);
        const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
        const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
        constexpr std::size_t kCuts = 16;
        for (std::size_t cut = 0; cut <= kCuts; ++cut) {
            LLVMFuzzerTestOneInput(data.data(), data.size() * cut / kCuts);
        }
    }
    std::printf("%zu files\n", files.size());
    return 0;
}
