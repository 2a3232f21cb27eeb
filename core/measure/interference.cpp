// SPDX-License-Identifier: MIT
#include "core/measure/interference.h"

#include "core/measure/system_files.h"

#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

InterferenceMeter growthMeter(std::function<std::map<std::string, double>()> read)
{
    return
        [read = std::move(read), before = std::map<std::string, double>(), first = true]() mutable {
            std::map<std::string, double> now = read();
            const double growth = first ? 0.0 : largestGrowth(before, now);
            first = false;
            before = std::move(now);
            return growth;
        };
}

} // namespace

// "nanoseconds running, nanoseconds waiting, times run"
ThreadWaits threadWaits(const fs::path& root, const std::string& process)
{
    constexpr double kSecondsPerNanosecond = 1e-9;
    ThreadWaits waits;
    std::error_code failed; // a thread may end meanwhile
    for (fs::directory_iterator task(root / "proc" / process / "task", failed), end;
         !failed && task != end;
         task.increment(failed)) {
        std::istringstream line(smallFile(task->path() / "schedstat").value_or(""));
        double running = 0.0;
        double waiting = 0.0;
        if (line >> running >> waiting) {
            waits[task->path().filename().string()] = waiting * kSecondsPerNanosecond;
        }
    }
    return waits;
}

// "cpu0 user nice system idle iowait irq softirq steal …", in ticks; the line "cpu" is their sum.
StolenTimes stolenTimes(const fs::path& root)
{
    constexpr int kStealColumn = 8;
    const long ticksPerSecond = sysconf(_SC_CLK_TCK);
    StolenTimes stolen;
    std::istringstream lines(smallFile(root / "proc/stat").value_or(""));
    for (std::string line; ticksPerSecond > 0 && std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        if (!name.starts_with("cpu")) {
            break; // processors come first
        }
        double ticks = 0.0;
        for (int column = 1; column <= kStealColumn; ++column) {
            words >> ticks;
        }
        if (words && name != "cpu") {
            stolen[name] = ticks / static_cast<double>(ticksPerSecond);
        }
    }
    return stolen;
}

double largestGrowth(const std::map<std::string, double>& before,
                     const std::map<std::string, double>& after)
{
    double largest = 0.0;
    for (const auto& [name, seconds] : after) {
        const auto old = before.find(name);
        largest = std::max(largest, seconds - (old == before.end() ? 0.0 : old->second));
    }
    return largest;
}

InterferenceMeter waitingMeter(const fs::path& root, const std::string& process)
{
    return growthMeter([root, process] { return threadWaits(root, process); });
}

InterferenceMeter stealMeter(const fs::path& root)
{
    return growthMeter([root] { return stolenTimes(root); });
}

} // namespace flopsmith
