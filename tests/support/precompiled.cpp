// SPDX-License-Identifier: GPL-3.0-or-later
// The headers of precompiled.h are compiled with this file; there is nothing else in it.
