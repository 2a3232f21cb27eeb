# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -D SOURCE_DIR=<repository> -D SCRATCH=<folder> -P page_links_bites_test.cmake
# Feeds page_links_test.cmake trees of two pages and expects its verdict.
cmake_minimum_required(VERSION 3.25)
if(NOT SCRATCH) # all of it is removed
  message(FATAL_ERROR "SCRATCH names no folder")
endif()

function(expect expected page content)
  file(REMOVE_RECURSE "${SCRATCH}")
  file(WRITE "${SCRATCH}/docs/there.md" "# There\n")
  file(WRITE "${SCRATCH}/${page}" "${content}\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -D SOURCE_DIR=${SCRATCH}
    -P ${SOURCE_DIR}/tests/page_links_test.cmake
    RESULT_VARIABLE code ERROR_VARIABLE error OUTPUT_QUIET)
  if(code EQUAL 0)
    set(result right)
  elseif(error MATCHES "Links that lead nowhere")
    set(result wrong)
  else()
    set(result "broken: ${error}")
  endif()
  if(NOT result STREQUAL expected)
    message(SEND_ERROR "${page} with \"${content}\": expected ${expected}, got ${result}")
  endif()
endfunction()

expect(right README.md "[there](docs/there.md)")
expect(right README.md "[a heading](docs/there.md#there), [a folder](docs), [here](#here)")
expect(right README.md "[elsewhere](https://example.org/x.md), list[3]; x")
expect(wrong README.md "[there](there.md)")
expect(wrong README.md "![a picture](docs/there.png)")
expect(right docs/page.md "[there](there.md)")
expect(right docs/page.md "[above](../docs/there.md)")
expect(wrong docs/page.md "[there](docs/there.md)")
expect(wrong core/x/README.md "[one](../../docs/there.md); [x[1]; the other](gone.md)")
