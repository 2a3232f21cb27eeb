// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <memory>

struct fftwf_plan_s;

namespace flopsmith::cpu {

enum class FftDirection { forward, inverse };

/// How FFTW plans: by measuring, which gives the fastest plan but, because times vary, not always
/// the same; or by rules, which give the same plan and so the same rounding in every run.
enum class FftPlanning { measured, repeatable };

/// For the plans that are made from now on in this program. Measured until this is called.
void setFftPlanning(FftPlanning planning);

/// `batch` real transforms of one length. Rows follow one another
/// without gaps: reals [batch, length], complex numbers (re, im) [batch, ⌊length/2⌋ + 1].
/// Arrays begin where a Buffer does. Not scaled. Plans are shared: the same (length, batch,
/// direction) is planned once per program.
class FftPlan
{
public:
    static Result<FftPlan> create(int length, int batch, FftDirection direction);

    /// forward only; `reals` stays as it is.
    void forward(const float* reals, float* spectrum) const;

    /// inverse only; destroys `spectrum`.
    void inverse(float* spectrum, float* reals) const;

private:
    explicit FftPlan(std::shared_ptr<fftwf_plan_s> plan)
        : m_plan(std::move(plan))
    {}

    std::shared_ptr<fftwf_plan_s> m_plan;
};

/// Complex forward transforms down the columns of [length, columns] complex numbers (re, im), from
/// one array to another: in place FFTW would take memory in every run. Neighbouring columns fill
/// the registers. Alignment, scale and sharing as above.
class ColumnFftPlan
{
public:
    static Result<ColumnFftPlan> create(int length, int columns);

    /// Destroys `numbers`.
    void run(float* numbers, float* spectra) const;

private:
    explicit ColumnFftPlan(std::shared_ptr<fftwf_plan_s> plan)
        : m_plan(std::move(plan))
    {}

    std::shared_ptr<fftwf_plan_s> m_plan;
};

/// The operations of a transform, as FFTW counts them.
struct FftOperations
{
    double adds = 0;
    double muls = 0;
    double fusedMultiplyAdds = 0; ///< one multiplication and one addition each
};

/// FFTW's operations for `batch` forward real transforms of one length, to compare with the nominal
/// 2.5·n·log2(n) each. FFTW counts a vector instruction as one operation, so this plan uses none:
/// the same algorithms, with every operation counted.
Result<FftOperations> fftwPlanOperations(int length, int batch);

/// The same for one complex transform.
Result<FftOperations> fftwComplexPlanOperations(int length);

} // namespace flopsmith::cpu
