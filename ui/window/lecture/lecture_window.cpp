// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/lecture_window.h"

#include "core/base/text.h"
#include "core/present/study/scaling.h"
#include "ui/inspector/inspector.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/type_scale.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/layout/standard_keys.h"
#include "ui/window/lecture/lecture_pages.h"
#include "ui/window/lecture/lecture_sliders.h"

#include <QAction>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QLabel>

#include <algorithm>
#include <array>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kLectureMargin = 16;
constexpr double kLargeCost = 1.35; ///< relative to ordinary text
constexpr double kWindowPoints = 12.0; ///< of a lesson that one reads alone
constexpr double kMaxOfLesson = 0.6; ///< of the height, where the lesson is below the page
constexpr int kFewSlidersBelow = 900; ///< pixels of height
constexpr int kFewSliders = 2;
constexpr double kTypeStep = 2.0; ///< points by which a key changes the type

// Those that papers use most, in turn by one key.
constexpr std::array<LensId, 2> kLectureLenses{LensId::matmul, LensId::exact};

} // namespace

LectureWindow::LectureWindow(const Scenario& scenario, LensId lens)
    : m_document(scenario)
    , m_title(label("title", tr("Page")))
    , m_cost(label("cost", tr("Cost of the model")))
    , m_pages(new LecturePages(m_document, this))
    , m_sliders(new LectureSliders(m_document, this))
    , m_body(new QBoxLayout(QBoxLayout::TopToBottom))
    , m_upper(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_overlay(new LectureOverlay(*this))
{
    setObjectName(QStringLiteral("lecture"));
    setAccessibleName(tr("Lecture"));
    setWindowTitle(tr("Lecture – Flopsmith"));
    setWindowIcon(programIcon());
    setFocusPolicy(Qt::StrongFocus);
    m_document.setLens(lens);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addStretch(1);
    head->addWidget(m_cost);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kLectureMargin, kLectureMargin, kLectureMargin, kLectureMargin);
    column->addLayout(head);
    m_body->setSpacing(kLectureMargin + kLectureMargin / 2);
    column->addLayout(m_body, 1);
    auto* stage = new QVBoxLayout;
    m_upper->addWidget(m_pages, 3);
    stage->addLayout(m_upper, 1);
    stage->addWidget(m_sliders);
    m_body->addLayout(stage, 1);
    connect(m_pages, &LecturePages::pageChanged, this, &LectureWindow::showHead);
    connect(m_pages, &LecturePages::pageChanged, this, &LectureWindow::progressed);
    connect(&m_document, &Document::scenarioChanged, this, &LectureWindow::showHead);
    connect(&m_document, &Document::lensChanged, this, &LectureWindow::showHead);
    addUndoActions();
    showUsualSliders();
    setPresenting(true);
}

// Before the document, of which its children read.
LectureWindow::~LectureWindow()
{
    delete m_lesson;
    delete m_inspector;
    delete m_pages;
    delete m_sliders;
}

QLabel* LectureWindow::label(const char* name, const QString& accessibleName)
{
    auto* made = new QLabel(this);
    made->setObjectName(QStringLiteral("lecture.") + QLatin1String(name));
    made->setAccessibleName(accessibleName);
    made->setTextFormat(Qt::PlainText);
    return made;
}

// A style sheet that was set meanwhile has given the parts their usual type.
void LectureWindow::showEvent(QShowEvent* event)
{
    setScale(m_scale);
    QWidget::showEvent(event);
}

void LectureWindow::addUndoActions()
{
    QAction* undo = m_document.undoStack().createUndoAction(this, tr("Undo"));
    QAction* redo = m_document.undoStack().createRedoAction(this, tr("Redo"));
    undo->setObjectName(QStringLiteral("lecture.undo"));
    redo->setObjectName(QStringLiteral("lecture.redo"));
    undo->setShortcuts(standardKeys(QKeySequence::Undo, tr("Ctrl+Z")));
    redo->setShortcuts(standardKeys(QKeySequence::Redo, tr("Ctrl+Shift+Z")));
    addActions({undo, redo});
}

void LectureWindow::setScale(const DisplayScale& scale)
{
    m_scale = scale;
    const QFont font = uiFont(scale.points);
    setFont(font);
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    bold.setPointSizeF(font.pointSizeF() * kLargeCost);
    m_cost->setFont(bold);
    m_sliders->setTypeFont(font);
    if (m_lesson != nullptr) {
        setTypeBelow(*m_lesson, font);
    }
    m_pages->setScale(scale);
    showHead();
}

void LectureWindow::setPresenting(bool on)
{
    m_presenting = on;
    setScale(on ? lectureScale() : DisplayScale{.points = kWindowPoints});
    arrange();
}

void LectureWindow::enlarge(double points)
{
    DisplayScale scale = m_scale;
    scale.points = m_presenting ? std::clamp(points, kMinLecturePoints, kMaxLecturePoints)
                                : std::clamp(points, kWindowPoints - 2.0, kMinLecturePoints);
    setScale(scale);
}

// Below the page, a lesson takes the height that its texts need, and a sketch all of it.
void LectureWindow::arrange()
{
    if (m_lesson == nullptr) {
        return;
    }
    const Ask* ask = m_lesson->isOver() ? nullptr : m_lesson->play().current().ask();
    const bool sketches = m_presenting && ask != nullptr && ask->kind == QuestionKind::sketch;
    m_body->setDirection(m_presenting ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_body->setStretch(0, m_presenting ? (sketches ? 0 : 1) : 6);
    m_body->setStretch(1, m_presenting ? (sketches ? 1 : 0) : 4);
    m_pages->setVisible(!sketches);
    m_sliders->setVisible(!sketches && m_sliders->count() > 0);
    m_lesson->setCompact(m_presenting);
    m_lesson->setMaximumHeight(m_presenting && !sketches ? static_cast<int>(height() * kMaxOfLesson)
                                                         : QWIDGETSIZE_MAX);
}

void LectureWindow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void LectureWindow::startLesson(LessonPlay play)
{
    m_lesson = new LessonPanel(std::move(play), *this, this);
    m_body->addWidget(m_lesson);
    m_overlay->raise(); // over what has come since
    connect(m_lesson, &LessonPanel::changed, this, &LectureWindow::arrange);
    connect(m_lesson, &LessonPanel::changed, this, &LectureWindow::showCosts);
    connect(m_lesson, &LessonPanel::changed, this, &LectureWindow::progressed);
    connect(m_lesson, &LessonPanel::finished, this, &QWidget::close);
    connect(m_lesson, &LessonPanel::labRequested, this, &LectureWindow::labRequested);
    connect(&m_document, &Document::scenarioChanged, m_lesson, &LessonPanel::designChanged);
    connect(&m_document, &Document::changeRefused, m_lesson, &LessonPanel::showProblem);
    setWindowTitle(tr("Lesson – Flopsmith"));
    arrange();
    showCosts();
}

// A question that is open may ask for what stands here.
bool LectureWindow::hidesCosts() const
{
    return m_lesson != nullptr && !m_lesson->isOver() && m_lesson->play().hidesCosts();
}

void LectureWindow::showCosts()
{
    m_pages->setCostsShown(!hidesCosts());
    showHead();
}

void LectureWindow::showView(const LessonView& view)
{
    showCosts(); // of the step that is shown, before its page is
    m_document.start(view.context.scenario);
    m_document.setLens(view.context.lens);
    m_pages->showFrozen(view.frozen);
    m_document.selectOperation(view.select);
    m_pages->showPage(QString::fromStdString(view.page));
    m_pages->setZoom(view.zoom);
}

void LectureWindow::setParameters(const QStringList& keys)
{
    m_pages->setMovable(keys);
    const bool isLow = m_presenting && m_lesson != nullptr && height() < kFewSlidersBelow;
    m_sliders->setKeys(isLow ? keys.mid(0, kFewSliders) : keys);
    m_sliders->setVisible(m_sliders->count() > 0);
}

void LectureWindow::setBuilding(bool on)
{
    if (on && m_inspector == nullptr) {
        m_inspector = new Inspector(m_document, this);
        m_inspector->setFont(uiFont(kWindowPoints)); // all of a block's parameters fit
        m_upper->addWidget(m_inspector, 2);
        m_overlay->raise();
    }
    if (m_inspector != nullptr) {
        m_inspector->setVisible(on);
    }
    if (on) {
        setFocus(); // keys lead the lesson until somebody goes into the editor
    }
}

bool LectureWindow::isBuilding() const
{
    return m_inspector != nullptr && !m_inspector->isHidden();
}

void LectureWindow::showUsualSliders()
{
    m_sliders->setKeys({fromUtf8(lengthKey(m_document.scenario())), QStringLiteral("d_model")});
}

void LectureWindow::showHead()
{
    const ThreeDigits digits(m_scale.threeDigits);
    const Lens& lens = flopsmith::lens(m_document.lens());
    m_title->setText(m_pages->title());
    if (hidesCosts()) {
        m_cost->clear();
        return;
    }
    const std::optional<Count> flops = m_document.costSummary().flops;
    m_cost->setText(flops ? tr("%1%2, %3")
                                .arg(QString::fromStdString(siText(toDouble(*flops))),
                                     fromUtf8(lens.unit),
                                     fromUtf8(lens.name))
                          : tr("no training step by %1").arg(fromUtf8(lens.name)));
}

void LectureWindow::nextLens()
{
    const auto* const now =
        std::find(kLectureLenses.begin(), kLectureLenses.end(), m_document.lens());
    const bool isLast = now == kLectureLenses.end() || now + 1 == kLectureLenses.end();
    m_document.setLens(isLast ? kLectureLenses.front() : *(now + 1));
}

bool LectureWindow::pressInLesson(PresenterKey key, int number)
{
    switch (key) {
    case PresenterKey::next: m_lesson->lead(); break;
    case PresenterKey::back: m_lesson->back(); break;
    case PresenterKey::first: m_lesson->first(); break;
    case PresenterKey::reveal: m_lesson->reveal(); break;
    case PresenterKey::why: m_lesson->showWhy(); break;
    case PresenterKey::timer: m_lesson->toggleTimer(); break;
    case PresenterKey::answer: m_lesson->press(number); break;
    default: return false;
    }
    return true;
}

bool LectureWindow::press(PresenterKey key, int number)
{
    const int by = key == PresenterKey::next ? +1 : key == PresenterKey::back ? -1 : 0;
    if (by != 0 && m_pages->advanceDerivation(by)) {
        return true;
    }
    if (m_lesson != nullptr && pressInLesson(key, number)) {
        return true;
    }
    switch (key) {
    case PresenterKey::next: m_pages->move(+1); break;
    case PresenterKey::back: m_pages->move(-1); break;
    case PresenterKey::first: m_pages->showPage(LecturePages::ids().front()); break;
    case PresenterKey::blank: m_overlay->toggle(LectureOverlay::Kind::blank); break;
    case PresenterKey::spotlight: m_overlay->toggle(LectureOverlay::Kind::spotlight); break;
    case PresenterKey::freeze: m_pages->freeze(); break;
    case PresenterKey::lens: nextLens(); break;
    case PresenterKey::why: return m_pages->toggleDerivation();
    case PresenterKey::larger: enlarge(m_scale.points + kTypeStep); break;
    case PresenterKey::smaller: enlarge(m_scale.points - kTypeStep); break;
    case PresenterKey::fullScreen:
    case PresenterKey::leave: close(); break;
    default: return false;
    }
    return true;
}

void LectureWindow::closeEvent(QCloseEvent* event)
{
    event->accept();
    Q_EMIT closed();
}

} // namespace flopsmith::ui

#include "moc_lecture_window.cpp"
