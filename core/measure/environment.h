// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The conditions that a run time depends on, recorded with every measurement, so that two numbers
/// can be compared later. What the system does not report is an empty text or std::nullopt, never a
/// guess.
struct Environment
{
    std::string cpuModel; ///< "Intel(R) Xeon(R) Platinum 8480+"
    std::string architecture; ///< "x86_64"
    int logicalCores = 0; ///< of the machine; 0 when unknown
    int usableCores = 0; ///< that this process may run on; 0 when unknown
    int threads = 1; ///< that the measured kernels use

    /// Vector and matrix extensions by the kernel's names and increasing width: "avx2",
    /// "avx512_bf16".
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
    bool virtualMachine = false; ///< the processor reports a hypervisor
    /// Identifies the running system, including its containers: programs with equal ids share a
    /// machine. Linux draws a new id at each boot.
    std::string hostId;
    std::string container; ///< "docker", "podman", …; empty if none is detected

    std::string compiler; ///< of this program: "GCC 12.2.0"
    std::string build; ///< a hash of this program's code, unique to the build
    std::string buildType; ///< "optimised", "not optimised", with "address sanitizer" if so

    /// One sentence on an avoidable cause of slow kernels; empty if none is known. Filled in by the
    /// measuring program.
    std::string warning;

    bool operator==(const Environment&) const = default;
};

/// The record of this machine. Tests pass a `root` that holds /proc, /sys and /etc; kernel name,
/// usable cores and compiler do not come from there.
Environment currentEnvironment(int threads, const std::filesystem::path& root = "/");

/// Reads model, cores, instruction sets and virtual machine from the text of /proc/cpuinfo, x86 or
/// ARM. The kernel lists an extension only if it also saves its registers, which makes this safer
/// than CPUID.
void readCpuInfo(std::string_view cpuInfo, Environment& environment);

/// The readable name in the text of /etc/os-release, without quotes; empty when it has none.
std::string operatingSystemName(std::string_view osRelease);

/// The first number of the text of /proc/loadavg.
std::optional<double> loadAverageOf(std::string_view text);

} // namespace flopsmith
