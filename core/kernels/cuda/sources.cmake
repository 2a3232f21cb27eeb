# SPDX-License-Identifier: GPL-3.0-or-later
# FLOPSMITH_CUDA_SOURCES: every .cu of this folder and its rooms. A variant of the registries without
# one does not link.
file(GLOB_RECURSE FLOPSMITH_CUDA_SOURCES CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.cu")
