// SPDX-License-Identifier: MIT
#include "core/measure/environment.h"

#include "core/measure/memory.h"
#include "core/measure/system_files.h"

#include <elf.h>
#include <link.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <sstream>
#include <thread>

#if defined(__has_feature)
#define FLOPSMITH_HAS_FEATURE(name) __has_feature(name)
#else
#define FLOPSMITH_HAS_FEATURE(name) 0
#endif

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

// Instruction sets that affect the peak of a kernel, by increasing vector width; x86, then ARM.
constexpr std::array<std::string_view, 20> kInstructionSets{
    "sse4_2",   "avx",      "f16c",     "fma",         "avx2",        "avx_vnni",    "avx512f",
    "avx512bw", "avx512dq", "avx512vl", "avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_tile",
    "amx_int8", "amx_bf16", "asimd",    "sve",         "sve2",        "bf16"};

std::vector<std::string> words(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> found;
    for (std::string word; stream >> word;) {
        found.push_back(word);
    }
    return found;
}

int linesWithKey(std::string_view text, std::string_view key)
{
    int lines = 0;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        lines += trimmed(line.substr(0, line.find(':'))) == key ? 1 : 0;
    }
    return lines;
}

// sysfs has one folder per cache of the first core, with level, type and size.
void readCaches(const fs::path& root, Environment& environment)
{
    const fs::path caches = root / "sys/devices/system/cpu/cpu0/cache";
    for (int index = 0; index < 8; ++index) {
        const fs::path cache = caches / ("index" + std::to_string(index));
        const std::string level = firstLine(cache / "level").value_or("");
        const std::string type = firstLine(cache / "type").value_or("");
        const std::optional<std::int64_t> size = bytesOf(firstLine(cache / "size").value_or(""));
        if (level == "1" && type != "Instruction") {
            environment.l1DataBytes = size;
        } else if (level == "2") {
            environment.l2Bytes = size;
        } else if (level == "3") {
            environment.l3Bytes = size;
        }
    }
}

// Container engines are recognised by their marker files; there is no official interface.
std::string containerName(const fs::path& root)
{
    std::error_code ignored;
    if (const std::optional<std::string> name = firstLine(root / "run/systemd/container")) {
        return *name;
    }
    if (fs::exists(root / "run/.containerenv", ignored)) {
        return "podman";
    }
    return fs::exists(root / ".dockerenv", ignored) ? "docker" : "";
}

void readKernel(Environment& environment)
{
    utsname name{};
    if (uname(&name) == 0) {
        environment.kernel = std::string(name.sysname) + " " + name.release;
        environment.architecture = name.machine;
    }
}

std::string compilerName()
{
#if defined(__clang__)
    return "Clang " __clang_version__;
#elif defined(__GNUC__)
    return "GCC " __VERSION__;
#else
    return "";
#endif
}

std::string buildTypeName()
{
#if defined(__OPTIMIZE__)
    std::string type = "optimised";
#else
    std::string type = "not optimised";
#endif
#if defined(__SANITIZE_ADDRESS__) || FLOPSMITH_HAS_FEATURE(address_sanitizer)
    type += ", address sanitizer";
#endif
#if defined(__SANITIZE_THREAD__) || FLOPSMITH_HAS_FEATURE(thread_sanitizer)
    type += ", thread sanitizer";
#endif
    return type;
}

// The linker's build id (ELF note NT_GNU_BUILD_ID) as hexadecimal digits.
std::string hashIn(const std::byte* notes, std::size_t size)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note{};
        std::memcpy(&note, notes, sizeof note);
        const std::size_t hash = sizeof note + padded(note.n_namesz);
        const std::size_t end = hash + padded(note.n_descsz);
        if (end > size) {
            break;
        }
        if (note.n_type == NT_GNU_BUILD_ID) {
            std::string digits;
            for (std::size_t i = hash; i < hash + note.n_descsz; ++i) {
                const auto byte = std::to_integer<unsigned>(notes[i]);
                digits += {kDigits[byte >> 4U], kDigits[byte & 0xFU]};
            }
            return digits;
        }
        notes += end;
        size -= end;
    }
    return "";
}

// dl_iterate_phdr() reports the program itself first.
int readBuildId(dl_phdr_info* object, std::size_t, void* id)
{
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        std::string& found = *static_cast<std::string*>(id);
        if (segment.p_type == PT_NOTE && found.empty()) {
            const ElfW(Addr) address = object->dlpi_addr + segment.p_vaddr;
            // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as numbers
            found = hashIn(reinterpret_cast<const std::byte*>(address), segment.p_memsz);
        }
    }
    return 1;
}

std::string buildId()
{
    std::string id;
    dl_iterate_phdr(readBuildId, &id);
    return id;
}

} // namespace

Environment currentEnvironment(int threads, const std::filesystem::path& root)
{
    Environment environment;
    environment.threads = threads;
    environment.usableCores = static_cast<int>(std::thread::hardware_concurrency());
    environment.compiler = compilerName();
    environment.build = buildId();
    environment.buildType = buildTypeName();
    readKernel(environment);
    readCpuInfo(smallFile(root / "proc/cpuinfo").value_or(""), environment);
    readCaches(root, environment);
    environment.memoryBytes = physicalMemoryBytes(root);
    environment.availableBytes = availableMemoryBytes(root);
    environment.operatingSystem =
        operatingSystemName(smallFile(root / "etc/os-release").value_or(""));
    environment.frequencyGovernor =
        firstLine(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").value_or("");
    environment.loadAverage = loadAverageOf(smallFile(root / "proc/loadavg").value_or(""));
    environment.hostId = firstLine(root / "proc/sys/kernel/random/boot_id").value_or("");
    environment.container = containerName(root);
    return environment;
}

void readCpuInfo(std::string_view cpuInfo, Environment& environment)
{
    environment.cpuModel = valueOf(cpuInfo, "model name", ':').value_or("");
    environment.logicalCores = linesWithKey(cpuInfo, "processor");
    const std::optional<std::string> x86Flags = valueOf(cpuInfo, "flags", ':');
    const std::vector<std::string> flags =
        words(x86Flags ? *x86Flags : valueOf(cpuInfo, "Features", ':').value_or(""));
    environment.instructionSets.clear();
    for (const std::string_view name : kInstructionSets) {
        if (std::ranges::find(flags, name) != flags.end()) {
            environment.instructionSets.emplace_back(name);
        }
    }
    environment.virtualMachine = std::ranges::find(flags, "hypervisor") != flags.end();
}

std::string operatingSystemName(std::string_view osRelease)
{
    std::string name = valueOf(osRelease, "PRETTY_NAME", '=').value_or("");
    std::erase(name, '"');
    return name;
}

std::optional<double> loadAverageOf(std::string_view text)
{
    double load = 0.0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), load);
    return read.ec == std::errc() ? std::optional<double>(load) : std::nullopt;
}

} // namespace flopsmith
