# SPDX-License-Identifier: GPL-3.0-or-later
# Whether the back end for NVIDIA GPUs is built: FLOPSMITH_CUDA is ON (stop without a toolkit), OFF,
# or AUTO (build it where a CUDA toolkit 12 or later is found, and say why not elsewhere). Leaves
# FLOPSMITH_BUILD_CUDA and, where that is off, FLOPSMITH_NO_CUDA_BECAUSE.
set(FLOPSMITH_CUDA AUTO CACHE STRING "Build flopsmith-bench-cuda: AUTO, ON or OFF")
set_property(CACHE FLOPSMITH_CUDA PROPERTY STRINGS AUTO ON OFF)

function(flopsmith_find_cuda)
  if(NOT FLOPSMITH_CUDA STREQUAL "AUTO" AND NOT FLOPSMITH_CUDA)
    set(FLOPSMITH_NO_CUDA_BECAUSE "FLOPSMITH_CUDA is OFF" PARENT_SCOPE)
    return()
  endif()
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(FLOPSMITH_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_PATH ENV CUDA_HOME
      PATHS /usr/local/cuda PATH_SUFFIXES bin)
    mark_as_advanced(FLOPSMITH_NVCC)
    if(NOT FLOPSMITH_NVCC)
      set(FLOPSMITH_NO_CUDA_BECAUSE "no CUDA toolkit is found (its compiler nvcc is neither in PATH \
nor in /usr/local/cuda/bin)" PARENT_SCOPE)
      return()
    endif()
    set(CMAKE_CUDA_COMPILER "${FLOPSMITH_NVCC}" CACHE FILEPATH "CUDA compiler")
  endif()
  find_package(CUDAToolkit QUIET)
  if(NOT CUDAToolkit_FOUND)
    set(FLOPSMITH_NO_CUDA_BECAUSE "${CMAKE_CUDA_COMPILER} belongs to no complete CUDA toolkit"
      PARENT_SCOPE)
  elseif(CUDAToolkit_VERSION VERSION_LESS 12)
    set(FLOPSMITH_NO_CUDA_BECAUSE
      "the CUDA toolkit is ${CUDAToolkit_VERSION}, at least 12 is needed" PARENT_SCOPE)
  elseif(NOT TARGET CUDA::cublas OR NOT TARGET CUDA::cufft)
    set(FLOPSMITH_NO_CUDA_BECAUSE
      "the CUDA toolkit ${CUDAToolkit_VERSION} comes without cuBLAS or cuFFT" PARENT_SCOPE)
  else()
    set(FLOPSMITH_BUILD_CUDA ON PARENT_SCOPE)
  endif()
endfunction()

set(FLOPSMITH_BUILD_CUDA OFF)
flopsmith_find_cuda()
if(FLOPSMITH_BUILD_CUDA)
  # Ampere and Hopper ready-made. The driver compiles for others when the program starts: from
  # Hopper's for what is newer, else from Turing's. Each entry is a compilation of its own.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 75-virtual 80-real 90 CACHE STRING "GPUs to compile for")
  endif()
  if(DEFINED CMAKE_CXX_COMPILER_LAUNCHER AND NOT DEFINED CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
  enable_language(CUDA)
  # CMake 3.25 does not know that nvcc 12 speaks C++20, nor how to ask for it.
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  find_package(CUDAToolkit REQUIRED)
  message(STATUS "flopsmith-bench-cuda: CUDA ${CUDAToolkit_VERSION}")
elseif(FLOPSMITH_CUDA STREQUAL "ON")
  message(FATAL_ERROR "flopsmith-bench-cuda cannot be built: ${FLOPSMITH_NO_CUDA_BECAUSE}")
else()
  message(STATUS "flopsmith-bench-cuda is not built: ${FLOPSMITH_NO_CUDA_BECAUSE}")
endif()
