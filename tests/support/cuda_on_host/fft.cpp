// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cuda_on_host/runtime.h"

#include <cufft.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <map>
#include <numbers>
#include <vector>

// cuFFT straight from the definition of the transform, in double precision.
namespace {

struct Plan
{
    cufftType type = CUFFT_C2C;
    std::int64_t length = 0;
    std::int64_t batch = 0;
    std::int64_t inStride = 1;
    std::int64_t inDistance = 0;
    std::int64_t outStride = 1;
    std::int64_t outDistance = 0;
    cudaStream_t stream = nullptr;
    void* workspace = nullptr;
    bool made = false;
};

// As much as the values take, so that larger plans need more.
std::size_t workspaceOf(long long length, long long batch)
{
    return sizeof(cufftComplex) * static_cast<std::size_t>(length * batch);
}

std::map<cufftHandle, Plan>& plans()
{
    static std::map<cufftHandle, Plan> all;
    return all;
}

using Complex = std::complex<double>;

std::vector<Complex> transformed(const std::vector<Complex>& values, double sign)
{
    const std::size_t n = values.size();
    std::vector<Complex> turns(n);
    for (std::size_t i = 0; i < n; ++i) {
        turns[i] = std::polar(
            1.0, sign * 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
    }
    std::vector<Complex> result(n);
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = 0; i < n; ++i) {
            result[k] += values[i] * turns[i * k % n];
        }
    }
    return result;
}

Complex valueOf(const cufftComplex& value)
{
    return {value.x, value.y};
}

cufftComplex asFloat(const Complex& value)
{
    return {static_cast<float>(value.real()), static_cast<float>(value.imag())};
}

// A plan that may be executed on these arrays; its workspace must have been given.
const Plan* readyPlan(cufftHandle handle, cufftType type, const void* from, const void* to)
{
    const Plan& plan = plans().at(handle);
    cuda_on_host::expectOnDevice(from, "cuFFT");
    cuda_on_host::expectOnDevice(to, "cuFFT");
    cuda_on_host::expectOnDevice(plan.workspace, "cuFFT");
    return plan.made && plan.type == type && plan.workspace != nullptr ? &plan : nullptr;
}

} // namespace

cufftResult cufftGetProperty(libraryPropertyType, int* value)
{
    *value = 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftCreate(cufftHandle* handle)
{
    static cufftHandle next = 1;
    *handle = next++;
    plans()[*handle] = {};
    return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle)
{
    plans().erase(handle);
    return CUFFT_SUCCESS;
}

cufftResult cufftSetAutoAllocation(cufftHandle, int)
{
    return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    plans().at(handle).stream = stream;
    return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void* workspace)
{
    cuda_on_host::expectOnDevice(workspace, "cuFFT");
    plans().at(handle).workspace = workspace;
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlanMany64(cufftHandle handle,
                                int rank,
                                long long* length,
                                long long* inExtent,
                                long long inStride,
                                long long inDistance,
                                long long* outExtent,
                                long long outStride,
                                long long outDistance,
                                cufftType type,
                                long long batch,
                                std::size_t* workspaceBytes)
{
    if (rank != 1 || *length < 1 || batch < 1 || inExtent == nullptr || outExtent == nullptr) {
        return CUFFT_INVALID_SIZE;
    }
    Plan& plan = plans().at(handle);
    plan.type = type;
    plan.length = *length;
    plan.batch = batch;
    plan.inStride = inStride;
    plan.inDistance = inDistance;
    plan.outStride = outStride;
    plan.outDistance = outDistance;
    plan.made = true;
    *workspaceBytes = workspaceOf(*length, batch);
    return CUFFT_SUCCESS;
}

cufftResult cufftExecR2C(cufftHandle handle, cufftReal* from, cufftComplex* to)
{
    const Plan* plan = readyPlan(handle, CUFFT_R2C, from, to);
    if (plan == nullptr) {
        return CUFFT_INVALID_PLAN;
    }
    cuda_on_host::enqueue(plan->stream, [=, plan = *plan] {
        for (std::int64_t j = 0; j < plan.batch; ++j) {
            std::vector<Complex> values(static_cast<std::size_t>(plan.length));
            for (std::int64_t i = 0; i < plan.length; ++i) {
                values[static_cast<std::size_t>(i)] = from[j * plan.inDistance + i * plan.inStride];
            }
            const auto result = transformed(values, -1.0);
            for (std::int64_t i = 0; i <= plan.length / 2; ++i) {
                to[j * plan.outDistance + i * plan.outStride] =
                    asFloat(result[static_cast<std::size_t>(i)]);
            }
        }
    });
    return CUFFT_SUCCESS;
}

cufftResult cufftExecC2R(cufftHandle handle, cufftComplex* from, cufftReal* to)
{
    const Plan* plan = readyPlan(handle, CUFFT_C2R, from, to);
    if (plan == nullptr) {
        return CUFFT_INVALID_PLAN;
    }
    cuda_on_host::enqueue(plan->stream, [=, plan = *plan] {
        for (std::int64_t j = 0; j < plan.batch; ++j) {
            const std::int64_t n = plan.length;
            std::vector<Complex> values(static_cast<std::size_t>(n));
            for (std::int64_t i = 0; i <= n / 2; ++i) {
                cufftComplex& value = from[j * plan.inDistance + i * plan.inStride];
                const Complex given = valueOf(value);
                values[static_cast<std::size_t>(i)] = given;
                if (i > 0 && i < n - i) {
                    values[static_cast<std::size_t>(n - i)] = std::conj(given);
                } else {
                    values[static_cast<std::size_t>(i)] = given.real(); // which must be real is
                }
                value = {NAN, NAN}; // the input may be overwritten
            }
            const auto result = transformed(values, 1.0);
            for (std::int64_t i = 0; i < n; ++i) {
                to[j * plan.outDistance + i * plan.outStride] =
                    static_cast<float>(result[static_cast<std::size_t>(i)].real());
            }
        }
    });
    return CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle handle, cufftComplex* from, cufftComplex* to, int direction)
{
    const Plan* plan = readyPlan(handle, CUFFT_C2C, from, to);
    if (plan == nullptr) {
        return CUFFT_INVALID_PLAN;
    }
    cuda_on_host::enqueue(plan->stream, [=, plan = *plan] {
        for (std::int64_t j = 0; j < plan.batch; ++j) {
            std::vector<Complex> values(static_cast<std::size_t>(plan.length));
            for (std::int64_t i = 0; i < plan.length; ++i) {
                values[static_cast<std::size_t>(i)] =
                    valueOf(from[j * plan.inDistance + i * plan.inStride]);
            }
            const auto result = transformed(values, direction == CUFFT_FORWARD ? -1.0 : 1.0);
            for (std::int64_t i = 0; i < plan.length; ++i) {
                to[j * plan.outDistance + i * plan.outStride] =
                    asFloat(result[static_cast<std::size_t>(i)]);
            }
        }
    });
    return CUFFT_SUCCESS;
}
