// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// What else determines a run time: written beside every measurement, so that two numbers can be
/// compared later or told apart. Whatever the system does not tell is an empty text or a
/// std::nullopt, never a guess.
struct Environment
{
    std::string cpuModel; ///< "Intel(R) Xeon(R) Platinum 8480+"
    std::string architecture; ///< "x86_64"
    int logicalCores = 0; ///< of the machine; 0 when unknown
    int usableCores = 0; ///< that this process may run on; 0 when unknown
    int threads = 1; ///< that the measured kernels use

    /// Vector and matrix extensions by the kernel's names, narrow to wide: "avx2", "avx512_bf16".
    std::vector<std::string> instructionSets;
    std::optional<std::int64_t> l1DataBytes; ///< per core, as are the next two where private
    std::optional<std::int64_t> l2Bytes;
    std::optional<std::int64_t> l3Bytes;

    std::optional<std::int64_t> memoryBytes;
    std::optional<std::int64_t> availableBytes; ///< at the time of the record; see memory.h

    std::string operatingSystem; ///< "Debian GNU/Linux 12 (bookworm)"
    std::string kernel; ///< "Linux 6.1.0-18-amd64"
    std::string frequencyGovernor; ///< "performance"; empty where the guest does not see one
    std::optional<double> loadAverage; ///< runnable tasks over the last minute, this one included
    bool virtualMachine = false; ///< the processor says that a hypervisor is above it
    /// Of the running system, containers on it included: two programs with the same one share a
    /// machine. Linux gives itself another one at each start.
    std::string hostId;
    std::string container; ///< "docker", "podman", …; empty outside, or when it hides

    std::string compiler; ///< of this program: "GCC 12.2.0"
    std::string build; ///< a hash of this program's code: any other build has another
    std::string buildType; ///< "optimised", "not optimised", with "address sanitizer" if so

    /// What slows the kernels down here and need not, one sentence; empty if nothing is known. Filled
    /// in by whoever knows the kernels.
    std::string warning;

    bool operator==(const Environment&) const = default;
};

/// The record of this machine. `root` is where /proc, /sys and /etc are, for the tests; what the
/// program knows of itself (kernel name, usable cores, compiler) does not come from there.
Environment currentEnvironment(int threads, const std::filesystem::path& root = "/");

/// Reads the part that /proc/cpuinfo tells (model, cores, instruction sets, virtual machine) from
/// its text, x86 or ARM. The kernel lists an extension only when it also saves its registers, so
/// this is safer than asking the processor.
void readCpuInfo(std::string_view cpuInfo, Environment& environment);

/// The readable name in the text of /etc/os-release, without quotes; empty when it has none.
std::string operatingSystemName(std::string_view osRelease);

/// The first number of the text of /proc/loadavg.
std::optional<double> loadAverageOf(std::string_view text);

} // namespace flopsmith
