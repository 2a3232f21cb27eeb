// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/fft/fft_plan.h"

#include "core/kernels/cpu/simd/buffer.h"

#include <fftw3.h>

#include <atomic>
#include <map>
#include <mutex>
#include <tuple>

namespace flopsmith::cpu {
namespace {

// FFTW's planner is not thread-safe, and a plan is worth keeping: making it takes up to a second.
struct Plans
{
    std::mutex mutex;
    std::map<std::tuple<int, int, FftDirection>, std::shared_ptr<fftwf_plan_s>> made;
    std::map<std::tuple<int, int>, std::shared_ptr<fftwf_plan_s>> ofColumns;
};

Plans& plans()
{
    static Plans all;
    return all;
}

std::atomic<FftPlanning>& planning()
{
    static std::atomic<FftPlanning> chosen = FftPlanning::measured;
    return chosen;
}

unsigned effort()
{
    return planning() == FftPlanning::measured ? FFTW_MEASURE : FFTW_ESTIMATE;
}

void destroy(fftwf_plan_s* plan)
{
    if (plan != nullptr) {
        fftwf_destroy_plan(plan);
    }
}

constexpr double kMaxSeconds = 2.0; // of measuring; then the best plan so far

std::shared_ptr<fftwf_plan_s> planned(int length, int batch, FftDirection direction, unsigned flags)
{
    const int bins = length / 2 + 1;
    const auto rows = static_cast<std::size_t>(batch);
    Buffer reals(rows * static_cast<std::size_t>(length));
    Buffer spectrum(rows * 2 * static_cast<std::size_t>(bins));
    float* x = reals.data();
    auto* z = reinterpret_cast<fftwf_complex*>(spectrum.data());
    fftwf_set_timelimit(kMaxSeconds);
    const unsigned keep = flags | FFTW_PRESERVE_INPUT;
    const unsigned destroyIt = flags | FFTW_DESTROY_INPUT;
    fftwf_plan plan = direction == FftDirection::forward
        ? fftwf_plan_many_dft_r2c(
            1, &length, batch, x, nullptr, 1, length, z, nullptr, 1, bins, keep)
        : fftwf_plan_many_dft_c2r(
            1, &length, batch, z, nullptr, 1, bins, x, nullptr, 1, length, destroyIt);
    return {plan, destroy};
}

std::shared_ptr<fftwf_plan_s> plannedColumns(int length, int columns)
{
    const auto elements = static_cast<std::size_t>(length) * static_cast<std::size_t>(columns);
    Buffer numbers(2 * elements);
    Buffer spectra(2 * elements);
    auto* from = reinterpret_cast<fftwf_complex*>(numbers.data());
    auto* to = reinterpret_cast<fftwf_complex*>(spectra.data());
    fftwf_set_timelimit(kMaxSeconds);
    fftwf_plan plan = fftwf_plan_many_dft(1,
                                          &length,
                                          columns,
                                          from,
                                          nullptr,
                                          columns,
                                          1,
                                          to,
                                          nullptr,
                                          columns,
                                          1,
                                          FFTW_FORWARD,
                                          effort() | FFTW_DESTROY_INPUT);
    return {plan, destroy};
}

Error cannotPlan(int length, int batch)
{
    return {"FFTW cannot plan " + std::to_string(batch) + " real transforms of length "
            + std::to_string(length) + "; another d_model may work"};
}

} // namespace

void setFftPlanning(FftPlanning chosen)
{
    planning() = chosen;
}

Result<FftPlan> FftPlan::create(int length, int batch, FftDirection direction)
{
    const std::lock_guard lock(plans().mutex);
    auto& plan = plans().made[{length, batch, direction}];
    if (plan == nullptr) {
        plan = planned(length, batch, direction, effort());
    }
    if (plan == nullptr) {
        return cannotPlan(length, batch);
    }
    return FftPlan(plan);
}

void FftPlan::forward(const float* reals, float* spectrum) const
{
    fftwf_execute_dft_r2c(
        m_plan.get(), const_cast<float*>(reals), reinterpret_cast<fftwf_complex*>(spectrum));
}

void FftPlan::inverse(float* spectrum, float* reals) const
{
    fftwf_execute_dft_c2r(m_plan.get(), reinterpret_cast<fftwf_complex*>(spectrum), reals);
}

Result<FftOperations> fftwPlanOperations(int length, int batch)
{
    const std::lock_guard lock(plans().mutex);
    const auto plan = planned(length, batch, FftDirection::forward, FFTW_ESTIMATE | FFTW_NO_SIMD);
    if (plan == nullptr) {
        return cannotPlan(length, batch);
    }
    FftOperations operations;
    fftwf_flops(plan.get(), &operations.adds, &operations.muls, &operations.fusedMultiplyAdds);
    return operations;
}

Result<FftOperations> fftwComplexPlanOperations(int length)
{
    const std::lock_guard lock(plans().mutex);
    Buffer numbers(2 * static_cast<std::size_t>(length));
    auto* data = reinterpret_cast<fftwf_complex*>(numbers.data());
    const std::shared_ptr<fftwf_plan_s> plan(
        fftwf_plan_dft_1d(length, data, data, FFTW_FORWARD, FFTW_ESTIMATE | FFTW_NO_SIMD),
        fftwf_destroy_plan);
    if (plan == nullptr) {
        return Error{"FFTW cannot plan a complex transform of length " + std::to_string(length)};
    }
    FftOperations operations;
    fftwf_flops(plan.get(), &operations.adds, &operations.muls, &operations.fusedMultiplyAdds);
    return operations;
}

Result<ColumnFftPlan> ColumnFftPlan::create(int length, int columns)
{
    const std::lock_guard lock(plans().mutex);
    auto& plan = plans().ofColumns[{length, columns}];
    if (plan == nullptr) {
        plan = plannedColumns(length, columns);
    }
    if (plan == nullptr) {
        return Error{"FFTW cannot plan complex transforms of " + std::to_string(length)
                     + " tokens; another sequence may work"};
    }
    return ColumnFftPlan(plan);
}

void ColumnFftPlan::run(float* numbers, float* spectra) const
{
    fftwf_execute_dft(m_plan.get(),
                      reinterpret_cast<fftwf_complex*>(numbers),
                      reinterpret_cast<fftwf_complex*>(spectra));
}

} // namespace flopsmith::cpu
