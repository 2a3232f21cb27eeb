// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/speaker_screen.h"

#include "ui/lessons/lesson_panel.h"
#include "ui/window/lecture/lecture_pages.h"
#include "ui/window/lecture/lecture_window.h"
#include "ui/window/lecture/speaker_view.h"

#include <QGuiApplication>
#include <QScreen>

#include <algorithm>

namespace flopsmith::ui {
namespace {

SpeakerView::Content contentOf(const LessonPanel& lesson)
{
    const auto speech = lesson.speech();
    return {.now = speech.say, .notes = speech.notes, .next = speech.next, .votes = speech.votes};
}

SpeakerView::Content contentOf(const LecturePages& pages)
{
    const QStringList ids = LecturePages::ids();
    const auto next = ids.indexOf(pages.id()) + 1;
    return {.now = pages.title(),
            .notes = {},
            .next = next < ids.size() ? LecturePages::titleOf(ids.at(next)) : QString(),
            .votes = {}};
}

} // namespace

SpeakerScreen::SpeakerScreen() = default;
SpeakerScreen::~SpeakerScreen() = default;

bool SpeakerScreen::isIn(const QWidget& window) const
{
    return &window == m_view.get();
}

void SpeakerScreen::openBeside(LectureWindow& lecture)
{
    const QList<QScreen*> screens = QGuiApplication::screens();
    const auto other = std::find_if(screens.begin(), screens.end(), [&](const QScreen* screen) {
        return screen != lecture.screen();
    });
    if (other != screens.end()) {
        show(lecture, true);
        m_view->setGeometry((*other)->availableGeometry());
    }
}

void SpeakerScreen::toggle(LectureWindow& lecture)
{
    show(lecture, m_view == nullptr || !m_view->isVisible());
}

void SpeakerScreen::show(LectureWindow& lecture, bool shown)
{
    if (m_view == nullptr) {
        m_view = std::make_unique<SpeakerView>();
    }
    m_view->setVisible(shown);
    update(lecture);
    lecture.activateWindow();
}

void SpeakerScreen::update(LectureWindow& lecture)
{
    if (m_view != nullptr) {
        m_view->setContent(lecture.lesson() != nullptr ? contentOf(*lecture.lesson())
                                                       : contentOf(lecture.pages()));
    }
}

void SpeakerScreen::close()
{
    if (SpeakerView* view = m_view.release()) { // a key of it may be on its way still
        view->hide();
        view->deleteLater();
    }
}

} // namespace flopsmith::ui
