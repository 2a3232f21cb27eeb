# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -D SOURCE_DIR=<repository> -P layering_test.cmake
# Reads the project's own #include lines and fails on one that points the wrong way.
# core/README.md has the same rules as a picture.
cmake_minimum_required(VERSION 3.25)

set(model_and_below base count layer mixer ffn model)
set(core_base      base)
set(core_count     base count)
set(core_layer     base count layer)
set(core_mixer     base count layer mixer)
set(core_ffn       base count layer ffn)
set(core_model     ${model_and_below})
set(core_parameter ${model_and_below} parameter)
set(core_note      ${model_and_below} parameter note)
set(core_json      ${model_and_below} json)
set(core_lens      ${model_and_below} lens)
set(core_formula   ${model_and_below} parameter lens formula)
set(core_budget    ${model_and_below} json budget)
set(core_measure   base measure)
set(core_kernels   base count layer mixer ffn kernels)
set(core_run       ${model_and_below} kernels run)
set(core_protocol  ${model_and_below} json measure protocol)
set(core_store     ${model_and_below} json measure protocol store)
set(core_claims    ${model_and_below} claims)
set(core_study     ${model_and_below} parameter lens budget measure protocol study)
set(core_teach     ${model_and_below} parameter json lens budget teach)
set(core_io        ${model_and_below} parameter note json lens budget measure claims study io)
set(core_share     ${core_io} share)
set(core_export    ${core_io} kernels run export)
set(core_train     ${core_io} kernels run train)
set(core_fast      ${core_train} fast)
set(core_lab       ${core_train} protocol lab)
set(core_torch     ${core_lab} export torch)
set(core_exercise  ${core_io} teach exercise)
set(core_report    ${model_and_below} parameter note json lens formula budget measure study io share present teach report)
set(core_why       ${model_and_below} parameter note lens formula budget study present why)
set(core_present   ${model_and_below} parameter note lens budget study io lab present)

# Folders with rooms of their own. PREFIX_ROOM lists the rooms of the folder that ROOM knows; "root" is
# the folder itself, "any" is all of them.
set(folders_with_rooms
  core/kernels/cpu:cpu
  core/kernels/cuda:cuda
  ui/canvas:canvas
  ui/charts:charts
  core/kernels/reference:reference
  core/ffn:ffn
  core/protocol:protocol
  core/io:io
  core/study:study
  core/present:present
  core/teach:teach
  core/export:export
  core/count:count
  core/train:train
  core/lab:lab
  ui/lessons:lessons
  ui/widgets:widgets
  ui/chart_pages:chart_pages
  ui/document:document
  ui/window:window
  app:app)

# Rooms of the kernels, the same for CPU and GPU: "root" is the folder itself, with what every kernel
# is made of. A layer, mixer or FFN knows those before it; variants of an FFN do not know each other,
# but what has a hidden layer.
set(cpu_simd      simd)
set(cpu_threads   threads)
set(cpu_gemm      simd threads gemm)
set(cpu_gemm/bf16 ${cpu_gemm} gemm/bf16)
set(cpu_linear    ${cpu_gemm/bf16} linear)
set(cpu_fft       simd fft)
set(cpu_select    simd select)
set(cpu_root      ${cpu_linear} fft select root)
set(cuda_device   device)
set(cuda_block    device block)
set(cuda_gemm     device gemm)
set(cuda_plan     device block gemm plan)
set(cuda_root     ${cuda_plan} root)
foreach(side IN ITEMS cpu cuda)
  set(${side}_layer           ${${side}_root} layer)
  set(${side}_mixer           ${${side}_layer} mixer)
  set(${side}_mixer/attention ${${side}_layer} mixer/attention)
  set(${side}_mixer/latent    ${${side}_layer} mixer/attention mixer/latent)
  set(${side}_mixer/scan      ${${side}_layer} mixer/scan)
  set(${side}_ffn             ${${side}_root} ffn)
  file(GLOB variants "${SOURCE_DIR}/core/kernels/${side}/ffn/*") # a room is a folder
  foreach(folder IN LISTS variants)
    get_filename_component(variant "${folder}" NAME)
    set(${side}_ffn/${variant} ${${side}_root} ffn/hidden ffn/${variant})
  endforeach()
endforeach()

# A chart knows what all are drawn with, and no other chart; the folder itself makes them by name.
set(charts_base base)
foreach(chart IN ITEMS share scaling run_time memory roofline waterfall mislead claims compare heat
    pareto lab)
  set(charts_${chart} base ${chart})
endforeach()
set(charts_root any)

# The parts of the stack's view know its surface, and each what is below it; the folder itself, with
# the view, puts them together.
set(canvas_base    base)
set(canvas_paint   base paint)
set(canvas_entries base entries)
set(canvas_actions entries actions)
set(canvas_find    base find)
set(canvas_beside  base beside)
set(canvas_notes   base notes)
set(canvas_zoom    base paint zoom)
set(canvas_drag    base paint entries drag)
set(canvas_palette entries drag palette)
set(canvas_input   base actions zoom drag input)
set(canvas_inside  inside)
set(canvas_root    any)

set(reference_root root)
foreach(part IN ITEMS layer mixer ffn)
  set(reference_${part} root ${part})
endforeach()

# Variants know what they share; the folder itself, with the list of all variants, puts them together.
set(ffn_shared   shared)
set(ffn_factored shared factored)
set(ffn_root     any)

# What is varied and read, then curves of it, searches in it and comparisons.
set(study_variation variation)
set(study_sweep     variation sweep)
set(study_search    variation search)
set(study_compare   variation sweep compare)
set(study_machine   machine)
set(study_root      root)

set(present_base     base)
set(present_cost     base cost)
set(present_headline base time headline)
set(present_time     base time)
set(present_roofline base time roofline)
set(present_study    base study)
set(present_stack    base stack)
set(present_inside   base time stack inside)
set(present_lab      lab)
set(present_table    base cost time roofline study lab table)

# A lesson is read, evaluated, played and written.
set(teach_expression expression)
set(teach_format     format)
set(teach_play       expression format play)
set(teach_author     expression format play author)

set(export_files        files)
set(export_torch/tensors files torch/tensors)
set(export_torch        files torch/tensors torch)
set(export_hugging_face files torch/tensors torch hugging_face)
set(export_root         files torch/tensors torch root)

set(protocol_wire      wire)
set(protocol_process   wire process)
set(protocol_device    wire process device)
set(protocol_measuring wire process device measuring)

# A project is what every other format becomes. Families know their own kin; what all of them share
# is in the folder above.
set(io_project             project)
set(io_hugging_face/config hugging_face/config)
set(io_hugging_face        project hugging_face hugging_face/config)
foreach(kin IN ITEMS llama gpt bert t5 vision)
  set(io_hugging_face/${kin} ${io_hugging_face} hugging_face/${kin})
endforeach()
set(io_hugging_face/deepseek ${io_hugging_face/llama} hugging_face/deepseek) # decoders of Llama's kind
set(io_hugging_face/mamba    ${io_hugging_face/llama} hugging_face/mamba) # and their hybrids
set(io_safetensors          safetensors)
set(io_hugging_face/weights safetensors hugging_face/weights)
set(io_table                project table)
set(io_journal              project journal)
set(io_reports              project table reports)
set(io_root                 project hugging_face root)

set(count_formula_lens formula_lens)
set(count_root         formula_lens root)

# What is read of a log, from its plan to its verdict, knows nothing of what trains.
set(lab_plan     plan)
set(lab_log      plan log)
set(lab_progress plan log progress)
set(lab_results  ${lab_progress} results)
set(lab_task     plan task)
set(lab_run      ${lab_progress} task run)
set(lab_distil   ${lab_results} task distil)
set(lab_checks   ${lab_run} checks)

set(train_settings settings)
set(train_root     settings root)

set(lessons_base      base)
set(lessons_questions base questions)
set(lessons_editor    base editor)
set(lessons_root      any)

set(widgets_layout      layout)
set(widgets_explain     explain)
set(widgets_typed       typed)
set(widgets_values      explain values)
set(widgets_table       table)
set(widgets_class_locks values class_locks)
set(widgets_root        layout values root)
set(chart_pages_export  export)
set(chart_pages_root    export root)

# A document knows neither its edits nor its journal.
set(document_root    root)
set(document_edits   root edits)
set(document_journal root journal)

# A feature of the window knows the bars, settings and files that it uses, and few know another one; menus
# arrange all of them, and the folder itself makes them and gives each the parts that it needs.
foreach(room IN ITEMS bars designs files fit history parts settings share stack why)
  set(window_${room} ${room})
endforeach()
set(window_headline    why headline)
set(window_commands    settings bars files commands)
set(window_help        commands help)
set(window_class_locks bars files class_locks)
set(window_exercise    files exercise)
set(window_start       settings files start)
set(window_lab         settings lab)
set(window_lecture     settings stack lecture)
set(window_lessons     files stack lecture lessons)
set(window_measuring   settings bars why headline stack measuring)
set(window_panels      settings bars stack history panels)
set(window_menus       bars settings files headline parts measuring panels designs commands class_locks exercise fit
  help history lab lecture lessons share start menus)
set(window_root        any)

# Options know what they start; a command puts options and runs together. The measuring programs keep
# to themselves.
set(app_arguments arguments)
set(app_terminal  terminal)
set(app_measuring terminal measuring)
set(app_options   arguments terminal measuring options)
set(app_results   ${app_options} results)
set(app_sweep     ${app_options} sweep)
set(app_charts    arguments terminal measuring charts)
set(app_charts/command ${app_options} charts charts/command)
set(app_lab       ${app_options} charts lab)
set(app_models    ${app_options} models)
set(app_slurm     ${app_options} lab slurm) # its tasks do a lab together
set(app_teach     ${app_options} charts teach)
set(app_commands  ${app_options} results sweep charts lab slurm commands)
set(app_root      any)
set(app_train    train)
set(app_bench/shared    bench/shared)
set(app_bench/jobs      bench/shared bench/jobs)
set(app_bench           bench/shared bench/jobs bench)
set(app_bench_torch/jobs bench/shared bench_torch/jobs)
set(app_bench_torch     bench/shared bench_torch/jobs bench_torch)
set(app_bench_cuda/jobs bench/shared bench_cuda/jobs)
set(app_bench_cuda      bench/shared bench_cuda/jobs bench_cuda)

# document, jobs, theme and widgets are open to all; the other folders of ui do not know each other.
# The chart pages show charts and what is measured, and the window puts everything together.
set(ui_document    document)
set(ui_jobs        document jobs)
set(ui_theme       theme)
set(ui_widgets     document theme widgets)
set(ui_chart_pages document jobs theme widgets charts measuring chart_pages)
set(ui_report      theme charts report)
set(ui_lab         document jobs theme widgets charts measuring chart_pages lab)
set(ui_window      any)

# Each check below sees the including file (relative), its first two folders (half, room) and the
# included name (header), and sets wrong to the reason why the two must not meet.

# only_in(headers files reason): headers that only certain files may include
macro(only_in headers files reason)
  if(header MATCHES "${headers}" AND NOT relative MATCHES "${files}")
    set(wrong "${reason}")
  endif()
endmacro()

# A formula is compiled again in each source that reads it: those that compile it for one type of
# number, and tests.
macro(check_cost_formulas)
  only_in("^core/(mixer|ffn)/.*_cost[.]h$"
    "^core/((mixer|ffn)/.*_cost[.](h|cpp)|formula/symbolic_cost[.]cpp)$"
    "ffn.h and mixer.h declare what their formulas sum up to")
  only_in("^core/layer/.*_cost[.]h$"
    "^core/((layer|mixer|ffn|model)/.*_cost[.](h|cpp)|formula/symbolic_cost[.]cpp|train/[^/]+[.]cpp)$"
    "what adds costs up includes core/model/model_cost.h")
  only_in("^core/model/(block|forward|backward|checkpointing|training|scenario)_cost[.]h$"
    "^core/(model/.*_cost[.](h|cpp)|formula/symbolic_cost[.]cpp)$"
    "core/model/model_cost.h declares what these templates give")
endmacro()

# A field of a variant is compiled again in each source that reads it. So what passes FFNs and mixers
# on reads none: no header but those of the variants' kernels, and of the families' importers.
macro(check_variants)
  if(relative MATCHES "[.]h$" AND header MATCHES "^core/(ffn|mixer)/" AND NOT header MATCHES
     "^core/(ffn/(ffn|shared/.*)|mixer/(mixer|cached_features|position_bias|rope)|.*_cost)[.]h$")
    if(relative MATCHES "^core/(ffn/ffn|mixer/mixer)[.]h$"
       OR NOT relative MATCHES "^core/(ffn|mixer|kernels|io/hugging_face)/")
      set(wrong "ffn.h and mixer.h declare the variants; what names one includes it in its source")
    endif()
  endif()
endmacro()

macro(check_core)
  if(NOT DEFINED core_${room})
    set(wrong "core/${room} has no rule in tests/layering_test.cmake")
  elseif(header MATCHES "^core/([^/]+)/" AND NOT CMAKE_MATCH_1 IN_LIST core_${room})
    set(wrong "core/${room} does not know core/${CMAKE_MATCH_1}")
  elseif(header MATCHES "^(ui|app|tests)/")
    set(wrong "core knows nothing above it")
  elseif(relative MATCHES "^core/lab/(plan|log|progress|results)/" AND header MATCHES "^core/(kernels|run|train|protocol)/"
         AND NOT header MATCHES "^core/train/settings/")
    set(wrong "what is read of a log needs no training")
  elseif(relative MATCHES "^core/(run|train|lab|kernels/(reference|cuda))/" AND header MATCHES "^core/kernels/cpu/")
    set(wrong "the CPU kernels are GPL, this folder is MIT")
  endif()
endmacro()

# Sets result to the room of a file below folder.
function(room_of result folder file)
  get_filename_component(room "${file}" DIRECTORY)
  string(REGEX REPLACE "^${folder}/?" "" room "${room}")
  if(NOT room)
    set(room root)
  endif()
  set(${result} "${room}" PARENT_SCOPE)
endfunction()

macro(check_rooms)
  foreach(entry IN LISTS folders_with_rooms)
    string(REGEX MATCH "^(.+):(.+)$" ignored "${entry}")
    set(folder "${CMAKE_MATCH_1}")
    set(rules "${CMAKE_MATCH_2}")
    if(relative MATCHES "^${folder}/")
      room_of(own "${folder}" "${relative}")
      if(NOT DEFINED ${rules}_${own})
        set(wrong "${folder}/${own} has no rule in tests/layering_test.cmake")
      elseif(header MATCHES "^${folder}/")
        room_of(other "${folder}" "${header}")
        if(NOT other IN_LIST ${rules}_${own} AND NOT "any" IN_LIST ${rules}_${own})
          set(wrong "${own} of ${folder} does not know ${other}")
        endif()
      endif()
    endif()
  endforeach()
endmacro()

# A folder with rooms has a rule for them.
function(check_has_rule relative)
  if(NOT relative MATCHES "^(core|ui)/[^/]+/.+/")
    return()
  endif()
  foreach(entry IN LISTS folders_with_rooms)
    string(REGEX REPLACE ":.*" "" folder "${entry}")
    if(relative MATCHES "^${folder}/")
      return()
    endif()
  endforeach()
  string(REGEX REPLACE "^([^/]+/[^/]+)/.*" "\\1" folder "${relative}")
  get_property(found GLOBAL PROPERTY violations)
  set(sentence "${folder} has rooms, and no rule in tests/layering_test.cmake")
  if(NOT sentence IN_LIST found)
    set_property(GLOBAL APPEND PROPERTY violations "${sentence}")
  endif()
endfunction()

# knows(result prefix a b): whether the rules let room a include room b
function(knows result prefix a b)
  set(${result} FALSE PARENT_SCOPE)
  if(b IN_LIST ${prefix}_${a} OR "any" IN_LIST ${prefix}_${a})
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# No two rooms may include each other.
function(check_no_mutual_rooms)
  foreach(entry IN LISTS folders_with_rooms)
    string(REGEX REPLACE ".*:" "" prefix "${entry}")
    get_cmake_property(all VARIABLES)
    list(FILTER all INCLUDE REGEX "^${prefix}_")
    list(TRANSFORM all REPLACE "^${prefix}_" "")
    foreach(a IN LISTS all)
      foreach(b IN LISTS all)
        if(a STRLESS b)
          knows(there ${prefix} "${a}" "${b}")
          knows(back ${prefix} "${b}" "${a}")
          if(there AND back)
            set_property(GLOBAL APPEND PROPERTY violations
              "the rules let ${a} and ${b} of ${prefix} include each other")
          endif()
        endif()
      endforeach()
    endforeach()
  endforeach()
endfunction()

macro(check_ui)
  set(allowed document jobs theme widgets ${room})
  if(DEFINED ui_${room})
    set(allowed ${ui_${room}})
  endif()
  if(header MATCHES "^core/kernels/")
    set(wrong "the window computes nothing with kernels")
  elseif(header MATCHES "^(app|tests)/")
    set(wrong "ui knows nothing above it")
  elseif(NOT "any" IN_LIST allowed AND header MATCHES "^ui/([^/]+)/"
         AND NOT CMAKE_MATCH_1 IN_LIST allowed)
    set(wrong "ui/${room} does not know ui/${CMAKE_MATCH_1}")
  endif()
endmacro()

macro(check_app)
  if(header MATCHES "^tests/")
    set(wrong "the product does not know its tests")
  elseif(relative MATCHES "^app/bench")
    if(header MATCHES "^(ui|core/formula)/")
      set(wrong "a measuring program runs without a screen")
    elseif(relative MATCHES "^app/bench(/shared|_cuda|_torch)/" AND header MATCHES "^(core/kernels/cpu|app/bench/jobs)/")
      set(wrong "the CPU kernels are GPL, this folder is MIT")
    elseif(relative MATCHES "^app/bench/" AND header MATCHES "^core/kernels/cuda/")
      set(wrong "NVIDIA's libraries and GPL code never meet in one program")
    endif()
  elseif(header MATCHES "^core/(kernels|fast)/" AND NOT relative MATCHES "^app/train/")
    set(wrong "only the programs that measure and train run kernels")
  endif()
endmacro()

macro(check_libraries)
  only_in("^<Q" "^(ui/|app/)" "core knows no Qt")
  if(relative MATCHES "^app/bench" AND header MATCHES "^<Q")
    set(wrong "a measuring program runs without a screen")
  endif()
  only_in("^<(Eigen|unsupported/Eigen|fftw3|cblas|lapacke)" "^core/kernels/cpu/.*[.]cpp$"
    "only sources of the CPU kernels include it")
  only_in("^<(oneapi|dnnl|omp[.]h)" "^core/kernels/cpu/gemm/(bf16/bf16_block|onednn_product)[.]cpp$"
    "two sources multiply by oneDNN, so that a build without it differs in them alone")
  only_in("^<(cuda|cublas|cufft|curand|nvml)" "^(core/kernels/cuda/|app/bench_cuda/)"
    "only the CUDA kernels include it")
  only_in("^<(ginac|cln)/" "^core/formula/" "GiNaC is GPL and stays in core/formula")
  only_in("^<CLI/" "^app/(arguments/argument_parser|command_line)[.]cpp$"
    "CLI11 takes 10 s per source; the others declare their options through app/arguments")
  only_in("^<nlohmann/" "^core/json/json_library[.]cpp$"
    "nlohmann-json takes seconds per source; the others hold JSON in core/json/json.h")
  only_in("^<sqlite3" "^core/store/sqlite[.]cpp$" "the store is the only one that knows SQLite")
  only_in("^<zlib" "^core/share/deflate[.]cpp$" "one source compresses for all")
  only_in("^<qrencode" "^core/share/qr_code[.]cpp$" "one source knows libqrencode")
  only_in("^<(gtest|gmock|rapidcheck)" "^$" "the product does not know its tests")
endmacro()

function(check_include relative header)
  string(REGEX MATCH "^([^/]+)/([^/]+)" ignored "${relative}")
  set(half "${CMAKE_MATCH_1}")
  set(room "${CMAKE_MATCH_2}")
  set(wrong "")
  if(header MATCHES "^<")
    check_libraries()
  elseif(header MATCHES "^moc_[a-z0-9_]+[.]cpp$") # what Qt generates of the header beside the source
    return()
  elseif(NOT header MATCHES "^(core|ui|app|tests)/")
    set(wrong "includes of the project are written from the repository root")
  elseif(half STREQUAL "core")
    check_core()
  elseif(half STREQUAL "ui")
    check_ui()
  else()
    check_app()
  endif()
  check_rooms()
  check_cost_formulas()
  check_variants()
  only_in("^core/lab/(task|run|distil|checks)/" "^(core/(lab|torch)|ui/lab|app)/"
    "what shows a lab reads its log")
  only_in("^core/kernels/cpu/gemm/bf16/bf16_emulation[.]h" "^core/kernels/cpu/gemm/bf16/"
    "emulated bfloat16 is for tests: its time would mislead")
  if(wrong)
    set_property(GLOBAL APPEND PROPERTY violations "${relative}: #include ${header} (${wrong})")
  endif()
endfunction()

set(patterns "")
foreach(half IN ITEMS core ui app)
  foreach(kind IN ITEMS h cpp cu cuh)
    list(APPEND patterns "${SOURCE_DIR}/${half}/*.${kind}")
  endforeach()
endforeach()
file(GLOB_RECURSE sources RELATIVE "${SOURCE_DIR}" ${patterns})
if(NOT sources)
  message(FATAL_ERROR "no sources below ${SOURCE_DIR}")
endif()
# What no longer fits on a screen becomes rooms.
function(check_folder_sizes)
  set(folders "")
  foreach(source IN LISTS sources)
    get_filename_component(folder "${source}" DIRECTORY)
    list(APPEND folders "${folder}")
  endforeach()
  set(different ${folders})
  list(REMOVE_DUPLICATES different)
  foreach(folder IN LISTS different)
    set(own ${folders})
    list(FILTER own INCLUDE REGEX "^${folder}$")
    list(LENGTH own count)
    if(count GREATER 40)
      set_property(GLOBAL APPEND PROPERTY violations "${folder} has ${count} sources, and at most 40 fit")
    endif()
  endforeach()
endfunction()

check_folder_sizes()
check_no_mutual_rooms()
foreach(source IN LISTS sources)
  check_has_rule("${source}")
  file(STRINGS "${SOURCE_DIR}/${source}" lines REGEX "^[ \t]*#[ \t]*include")
  foreach(line IN LISTS lines)
    if(line MATCHES "include[ \t]*\"?(<?[^\">]+)") # a leading < marks a library's header
      check_include("${source}" "${CMAKE_MATCH_1}")
    endif()
  endforeach()
endforeach()

get_property(violations GLOBAL PROPERTY violations)
if(violations)
  list(JOIN violations "\n  " text)
  message(FATAL_ERROR "Includes that point the wrong way (see core/README.md):\n  ${text}")
endif()
