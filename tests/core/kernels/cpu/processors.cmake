# SPDX-License-Identifier: GPL-3.0-or-later
# The kernels as processors run them that have less than the one at hand. Each program has all tests
# of core/kernels/cpu, its kernels are compiled for one level of x86-64, and oneDNN is kept to what it would
# choose there:
#   test_cpu_v2   four lanes, the portable body    x86-64-v2   as oneDNN of a processor with SSE4.1
#   test_cpu_v3   eight lanes, AVX2 and FMA        x86-64-v3   as of one with AVX2
#   test_cpu_v4   sixteen lanes, AVX-512           x86-64-v4   as of one without bfloat16; where
#                 the kernels are compiled for the processor at hand, they are these
# `./dev test processors` builds the target processor_tests and runs them. Of the kernels for the
# processor at hand, what computes in bfloat16 is run as on one with AVX-512 that has none.
include(CheckCXXSourceRuns)

function(flopsmith_cpu_body level isa)
  get_target_property(sources flopsmith_cpu SOURCES)
  get_target_property(links flopsmith_cpu INTERFACE_LINK_LIBRARIES)
  get_target_property(definitions flopsmith_cpu COMPILE_DEFINITIONS)
  get_target_property(includes flopsmith_cpu INCLUDE_DIRECTORIES)
  set(kernels flopsmith_cpu_${level})
  add_library(${kernels} STATIC EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${kernels} PUBLIC ${links})
  # -O1, because a body is tested here and not timed
  target_compile_options(${kernels} PRIVATE -march=x86-64-${level}
    -O1 -g0 -fno-math-errno -fno-trapping-math -ffp-contract=fast -Wno-psabi)
  if(definitions)
    target_compile_definitions(${kernels} PRIVATE ${definitions})
  endif()
  if(includes)
    target_include_directories(${kernels} SYSTEM PRIVATE ${includes})
  endif()
  foreach(property IN ITEMS UNITY_BUILD UNITY_BUILD_MODE UNITY_BUILD_BATCH_SIZE)
    get_target_property(value flopsmith_cpu ${property})
    if(value)
      set_target_properties(${kernels} PROPERTIES ${property} "${value}")
    endif()
  endforeach()
  foreach(source IN LISTS sources)
    foreach(property IN ITEMS UNITY_GROUP SKIP_UNITY_BUILD_INCLUSION)
      get_source_file_property(value "${source}" TARGET_DIRECTORY flopsmith_cpu ${property})
      if(value)
        set_source_files_properties("${source}" PROPERTIES ${property} "${value}")
      endif()
    endforeach()
  endforeach()

  set(program test_cpu_${level})
  add_executable(${program} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:tests_core_kernels_cpu>)
  target_link_libraries(${program} PRIVATE flopsmith_test_main flopsmith_reference ${kernels})
  add_dependencies(processor_tests ${program})
  flopsmith_test_shards(kernels_x86_64_${level} PROGRAM ${program} SHARDS 2 LABEL processors
    ENVIRONMENT ONEDNN_MAX_CPU_ISA=${isa})
endfunction()

# flopsmith_cpu_bodies(): those that the processor at hand can execute; of the others it says why.
function(flopsmith_cpu_bodies)
  add_custom_target(processor_tests DEPENDS test_kernels)
  flopsmith_test_shards(kernels_without_bfloat16 PROGRAM test_kernels SHARDS 2 LABEL processors
    ENVIRONMENT GTEST_FILTER=*f16*:*float16*:Rounded*:ProductPeak* ONEDNN_MAX_CPU_ISA=AVX512_CORE)
  foreach(body IN ITEMS v2:SSE41 v3:AVX2 v4:AVX512_CORE)
    string(REGEX MATCH "^(v[0-9]):(.+)$" ignored "${body}")
    set(level "${CMAKE_MATCH_1}")
    set(isa "${CMAKE_MATCH_2}")
    set(result FLOPSMITH_EXECUTES_X86_64_${level})
    check_cxx_source_runs(
      "int main() { return __builtin_cpu_supports(\"x86-64-${level}\") ? 0 : 1; }" ${result})
    if(NOT ${result})
      message(STATUS "The CPU kernels are not tested for x86-64-${level}: "
        "this processor cannot execute it, or the compiler does not know it")
    elseif(NOT (FLOPSMITH_NATIVE AND level STREQUAL v4))
      flopsmith_cpu_body(${level} ${isa})
    endif()
  endforeach()
endfunction()

flopsmith_cpu_bodies()
