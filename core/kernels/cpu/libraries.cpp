// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/libraries.h"

#include "core/kernels/cpu/fft_plan.h"
#include "core/kernels/cpu/lanes.h"

#include <Eigen/Core>

#include <cblas.h>
#include <fftw3.h>

namespace flopsmith::cpu {

std::vector<LibraryVersion> libraryVersions()
{
    const std::string eigen = std::to_string(EIGEN_WORLD_VERSION) + "."
        + std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION);
    return {{"OpenBLAS",
             std::string(openblas_get_config()) + ", kernels for " + openblas_get_corename()},
            {"FFTW", fftwf_version},
            {"Eigen", eigen},
            {"vectors", std::to_string(kLanes) + " floats"}};
}

Result<FftOperations> fftwPlanOperations(int length, int batch)
{
    return FftPlan::scalarOperations(length, batch);
}

Result<FftOperations> fftwComplexPlanOperations(int length)
{
    return FftPlan::complexScalarOperations(length);
}

} // namespace flopsmith::cpu
