// SPDX-License-Identifier: MIT
#include "core/exercise/answered_exercise.h"

#include "core/base/file_suffix.h"
#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/exercise/exercise_reading.h"
#include "core/exercise/installed_exercises.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

constexpr int kMaxFiles = 200; // of a folder that are looked at

// Keeps the first exercise that an answer was given to, and why others are not it.
class Finder
{
public:
    explicit Finder(const ExerciseAnswer& answer)
        : m_answer(answer)
    {}

    // Whether this is the one.
    bool take(const Result<Exercise>& exercise)
    {
        if (!exercise || exercise->id != m_answer.exercise) {
            return false;
        }
        Result<ExerciseMarker> marker = ExerciseMarker::create(*exercise);
        const Status is = marker ? isAnswerTo(*marker, m_answer) : Status(marker.error());
        if (!is) {
            m_reason = is.error();
            return false;
        }
        m_found = std::move(*marker);
        return true;
    }

    Result<ExerciseMarker> found()
    {
        if (m_found) {
            return std::move(*m_found);
        }
        return m_reason ? *m_reason
                        : Error{"the exercise \"" + excerpt(m_answer.exercise)
                                + "\" does not come with this program, and its file is not in the "
                                  "answer's folder"};
    }

private:
    const ExerciseAnswer& m_answer;
    std::optional<ExerciseMarker> m_found;
    std::optional<Error> m_reason;
};

bool takeFrom(const std::string& folder, Finder& finder)
{
    std::error_code failed;
    int files = 0;
    for (std::filesystem::directory_iterator each(folder, failed), end; !failed && each != end;
         each.increment(failed)) {
        const std::filesystem::path& path = each->path();
        if (!hasSuffix(path.native(), kExerciseSuffix) || ++files > kMaxFiles) {
            continue;
        }
        const Result<std::string> text = textOfFile(path.string());
        if (text && finder.take(readExercise(*text, path.string()))) {
            return true;
        }
    }
    return false;
}

} // namespace

Result<ExerciseMarker> answeredExercise(const ExerciseAnswer& answer, const std::string& folder)
{
    Finder finder(answer);
    for (const InstalledText& each : installedExercises()) {
        if (finder.take(readExercise(each.text, std::string(each.fileName)))) {
            return finder.found();
        }
    }
    takeFrom(folder, finder);
    return finder.found();
}

} // namespace flopsmith
