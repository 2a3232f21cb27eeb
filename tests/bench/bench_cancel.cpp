// SPDX-License-Identifier: GPL-3.0-or-later
// How long a cancel takes to be answered: by the measuring program, which looks between two runs,
// and by the session in its stead when a run is longer than its patience.
#include "core/ffn/dense.h"
#include "core/measure/clock.h"
#include "core/measure/samples.h"
#include "core/protocol/device/device_session.h"
#include "tests/bench/tables/report.h"

#include <chrono>
#include <stop_token>
#include <thread>

namespace flopsmith::bench {
namespace {

constexpr double kBudget = 0.25; // seconds
constexpr Milliseconds kPatience{60'000};

MeasureRequest denseAt(int dModel, int tokens)
{
    MeasureRequest request;
    request.operation.what = FfnSpec(DenseFfn{.dFf = 4 * dModel});
    request.operation.dModel = dModel;
    request.operation.sequence = tokens;
    request.operation.context = tokens;
    request.budgetSeconds = 30.0;
    return request;
}

// Seconds from the request to stop until the session has its answer; nothing if the operation
// ended before.
std::optional<double> secondsToCancel(DeviceSession& session,
                                      const MeasureRequest& request,
                                      std::chrono::milliseconds after)
{
    const Clock now = steadyClock();
    std::stop_source stop;
    double asked = 0.0;
    const std::jthread hand([&] {
        std::this_thread::sleep_for(after);
        asked = now();
        stop.request_stop();
    });
    const auto reply = session.ask(request, kPatience, stop.get_token());
    const double answered = now();
    return std::holds_alternative<DeviceSession::Cancelled>(reply) ? std::optional(answered - asked)
                                                                   : std::nullopt;
}

void printCancels(Report& report, const char* name, const MeasureRequest& request)
{
    DeviceSession session(ownDevices().front());
    Samples seconds;
    for (const int after : {50, 300, 600, 1000, 1500}) {
        if (const auto one = secondsToCancel(session, request, std::chrono::milliseconds(after))) {
            seconds.add(*one);
        }
    }
    if (seconds.empty()) {
        report.note(std::string(name)
                    + ": no measurement could be cancelled; is flopsmith-bench "
                      "beside this program?");
        return;
    }
    report.row({name, seconds.median(), seconds.max(), kBudget, kBudget / seconds.max()});
}

void run(const Options& options, Report& report)
{
    report.table("cancel",
                 "From a cancel to its answer (ratio: budget over the longest)",
                 {{"operation", "measuring", Figure::text},
                  {"median_seconds", "median", Figure::seconds},
                  {"longest_seconds", "longest", Figure::seconds},
                  {"budget_seconds", "budget", Figure::seconds},
                  {"budget_over_longest", "ratio", Figure::ratio}});
    printCancels(report, "dense, d = 768, T = 128", denseAt(768, 128));
    if (!options.quick) {
        printCancels(report, "dense, d = 4096, T = 2048", denseAt(4096, 2048));
    }
}

} // namespace
} // namespace flopsmith::bench

int main(int count, char** arguments)
{
    return flopsmith::bench::benchMain(count, arguments, "cancel", flopsmith::bench::run);
}
