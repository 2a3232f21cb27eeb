// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace flopsmith {

/// Prepares a run after InitGoogleTest(): of all tests only those whose "Suite.Name" contains a match
/// of the regular expression FLOPSMITH_TEST_REGEX are left, and the file FLOPSMITH_TEST_REPORT gets a
/// line for each event, as soon as it happens, so that a test that crashes is the last one named:
///
///     seed NUMBER, of a random order
///     begin Suite.Name
///     skip Suite.Name reason in one line
///     end Suite.Name passed|failed|skipped MILLISECONDS ASSERTIONS
///
/// Without these variables nothing changes.
void prepareTestRun();

} // namespace flopsmith
