// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/staged_lesson.h"

#include "ui/lessons/base/lesson_stage.h"
#include "ui/theme/utf8.h"

namespace flopsmith::ui {
namespace {

void addKeys(QStringList& keys, const Shown& shown)
{
    for (const auto& [key, value] : shown.set) {
        const QString name = fromUtf8(parameterKey(key));
        if (!keys.contains(name)) {
            keys << name;
        }
    }
}

// The parameters that this step names first, then those of the others.
QStringList parametersOf(const LessonPlay& play)
{
    QStringList keys;
    const LessonStep& now = play.current();
    addKeys(keys, now.reveal);
    addKeys(keys, now.show);
    addKeys(keys, play.lesson().start);
    for (const LessonStep& step : play.lesson().steps) {
        addKeys(keys, step.show);
        addKeys(keys, step.reveal);
    }
    return keys;
}

} // namespace

void StagedLesson::showStep(const LessonPlay& play)
{
    saveBuilt();
    const Ask* ask = play.current().ask();
    const bool isOpen = ask != nullptr && !play.isRevealed();
    const bool builds = isOpen && ask->kind == QuestionKind::build;
    m_building = builds ? std::optional<int>(play.step()) : std::nullopt;
    m_stage.setBuilding(builds);
    LessonView view = play.view();
    const auto built = m_built.find(play.step());
    if (builds && built != m_built.end()) {
        view.context.scenario = built->second;
    }
    m_stage.showView(view);
    m_stage.setParameters(isOpen && !builds ? QStringList() : parametersOf(play));
}

void StagedLesson::showAnswer(const LessonPlay& play)
{
    saveBuilt();
    m_building.reset();
    m_stage.setBuilding(false);
    m_stage.showView(play.view());
    m_stage.setParameters(parametersOf(play));
}

void StagedLesson::saveBuilt()
{
    if (m_building) {
        m_built.insert_or_assign(*m_building, m_stage.design());
    }
}

void StagedLesson::clear()
{
    m_building.reset();
    m_built.clear();
}

} // namespace flopsmith::ui
