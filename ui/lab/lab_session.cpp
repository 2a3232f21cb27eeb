// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_session.h"

#include "core/base/text_file.h"
#include "core/io/project/version.h"
#include "core/lab/log/kept_runs.h"
#include "core/lab/log/lab_merge.h"
#include "core/lab/plan/lab_file.h"
#include "core/lab/task/known_text.h"
#include "ui/lab/lab_references.h"
#include "ui/lab/lab_workers.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMetaObject>
#include <QStandardPaths>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kLookEvery = 100; ///< milliseconds while something is trained
constexpr int kRestEvery = 1'000; ///< at a log that another program may write
constexpr int kResumeDelay = 300; ///< milliseconds: keys of a slider begin one log, not one each
constexpr std::size_t kMaxBytes = 1 << 17; ///< of a log at one look: some milliseconds
constexpr int kSmallWidth = 64; ///< of models whose state is saved often

std::string pathOf(const QString& path)
{
    return QFile::encodeName(path).toStdString();
}

LabPlan firstPlan()
{
    LabPlan plan{.task = TextTask{}, .seeds = 3};
    knowText(std::get<TextTask>(plan.task)).ok();
    std::vector<Arm> arms;
    for (const char* name : {"dense", "token_feedback", "ultra"}) {
        arms.push_back({.name = name, .ffn = armNamed(name, plan.sizes.dModel).value()});
    }
    return plannedLab(plan, arms).value();
}

} // namespace

LabSession::LabSession(QObject* parent)
    : QObject(parent)
    , m_workers(ownWorkers())
    , m_folder(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)
               + QStringLiteral("/lab"))
    , m_log{.plan = firstPlan(), .machine = {}, .runs = {}}
    , m_references(new LabReferences(this))
{
    m_resume.setSingleShot(true);
    m_resume.setInterval(kResumeDelay);
    connect(&m_resume, &QTimer::timeout, this, [this] { begin(false); });
    connect(&m_look, &QTimer::timeout, this, &LabSession::look);
    connect(m_references, &LabReferences::found, this, &LabSession::logChanged);
    connect(m_references, &LabReferences::failed, this, &LabSession::failed);
}

LabSession::~LabSession() = default;

void LabSession::setWorkers(std::vector<std::vector<std::string>> workers)
{
    m_workers = std::move(workers);
}

const std::vector<ReferenceScore>& LabSession::references() const
{
    return m_references->all();
}

std::vector<Arm> LabSession::chosenArms() const
{
    std::vector<Arm> chosen;
    for (const Arm& arm : plan().arms) {
        if (arm.role == ArmRole::chosen) {
            chosen.push_back({.name = arm.name, .ffn = arm.ffn});
        }
    }
    return chosen;
}

Status LabSession::change(const Edit& edit)
{
    readToEnd().ok(); // all of its runs may be kept; what cannot be read is trained again
    LabPlan plan = log().plan;
    std::vector<Arm> chosen = chosenArms();
    edit(plan, chosen);
    if (auto* text = std::get_if<TextTask>(&plan.task)) {
        FLOPSMITH_RETURN_IF_ERROR(knowText(*text));
    }
    FLOPSMITH_TRY(const LabPlan planned, plannedLab(plan, chosen));
    if (planned == log().plan) {
        return Done{};
    }
    const bool resumes = m_state == State::training;
    showLog(withPlan(log(), planned), resumes ? State::training : State::ready);
    if (resumes) {
        m_resume.start();
    }
    return Done{};
}

// In place of what is there, in no file yet.
void LabSession::showLog(LabLog log, State state)
{
    leaveTraining();
    m_tail.reset();
    m_path.clear();
    m_log = std::move(log);
    m_left = {};
    m_look.stop();
    m_resume.stop();
    setState(state);
    readReferences();
    Q_EMIT planChanged();
    Q_EMIT logChanged();
}

Status LabSession::open(const QString& path)
{
    if (m_training != nullptr && QFileInfo(path) == QFileInfo(m_path)) {
        return Done{}; // it is being trained
    }
    Result<LabTail> tail = LabTail::open(pathOf(path));
    if (tail) {
        showLog({.plan = tail->log().plan, .machine = tail->log().machine, .runs = {}});
        m_tail.emplace(std::move(*tail));
        m_path = path;
        m_look.start(kLookEvery);
        look();
        return Done{};
    }
    if (!path.endsWith(QLatin1String(".flopsmith-lab"))) {
        return tail.error();
    }
    const Result<std::string> text = textOfFile(pathOf(path));
    FLOPSMITH_TRY(const LabPlan plan,
                  text ? readLab(*text, path.toStdString()) : Result<LabPlan>(text.error()));
    LabPlan known = plan;
    if (auto* task = std::get_if<TextTask>(&known.task)) {
        FLOPSMITH_RETURN_IF_ERROR(knowText(*task));
    }
    showLog({.plan = known, .machine = {}, .runs = {}});
    return Done{};
}

Status LabSession::savePlan(const QString& path) const
{
    return writeFile(pathOf(path), labFileText(plan()));
}

// The file is made at once, so that two windows never begin the same one.
QString LabSession::newLogPath() const
{
    const auto isTaken = [](const QString& path) {
        return !QFile(path).open(QIODevice::WriteOnly | QIODevice::NewOnly) && QFile::exists(path);
    };
    const QString begin = m_folder + QLatin1Char('/')
        + QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd-HHmmss"));
    QString path = begin + QStringLiteral(".jsonl");
    for (int i = 2; isTaken(path); ++i) {
        path = begin + QStringLiteral("-%1.jsonl").arg(i);
    }
    return path;
}

Status LabSession::readOn()
{
    FLOPSMITH_TRY(const bool read, m_tail->readOn(kMaxBytes));
    if (read && m_training != nullptr) {
        m_training->forgetEnded(log());
    }
    if (read) {
        Q_EMIT logChanged();
    }
    return Done{};
}

Status LabSession::readToEnd()
{
    bool isAtEnd = !m_tail;
    while (!isAtEnd) {
        FLOPSMITH_RETURN_IF_ERROR(readOn());
        isAtEnd = m_tail->isAtEnd();
    }
    return Done{};
}

// A file for a log that has none, with the runs that it took over.
Status LabSession::prepareLog()
{
    if (m_tail) {
        return readToEnd();
    }
    if (!QDir().mkpath(m_folder)) {
        return Error{m_folder.toStdString() + ": this folder for logs of labs cannot be made"};
    }
    m_path = newLogPath();
    if (const std::string here = machineName(workers()); m_log.machine != here) {
        m_log.machine = here;
        m_log.timings.clear(); // of another machine
    }
    if (m_log.runs.empty()) { // else it is of the program that trained them
        m_log.program = programVersion();
    }
    if (const Status written = writeFile(pathOf(m_path), logText(m_log)); !written) {
        QFile::remove(m_path);
        m_path.clear();
        return written;
    }
    FLOPSMITH_TRY(LabTail tail, LabTail::open(pathOf(m_path)));
    m_tail.emplace(std::move(tail));
    return readToEnd();
}

void LabSession::begin(bool paused)
{
    m_resume.stop();
    if (const Status ready = prepareLog(); !ready) {
        setState(State::ready);
        Q_EMIT failed(QString::fromStdString(ready.error().message));
        return;
    }
    if (!paused) {
        m_left.look(m_clock(), runs(), 0.0); // time counts from here
    }
    const bool isSmall = plan().sizes.dModel <= kSmallWidth;
    TrainingOrder order{.log = pathOf(m_path),
                        .plan = plan(),
                        .machine = machineName(workers()),
                        .workers = m_workers,
                        .saveEvery = isSmall ? 3.0 : 10.0,
                        .paused = paused};
    // The pointer only says which training it was: it may be gone then.
    auto own = std::make_shared<const LabTraining*>(nullptr);
    m_training =
        std::make_unique<LabTraining>(std::move(order), [this, own](const Result<LabEnd>& end) {
            QMetaObject::invokeMethod(this, [this, own, end] { finish(*own, end); });
        });
    *own = m_training.get();
    m_look.start(kLookEvery);
    setState(paused ? State::paused : State::training);
}

void LabSession::play()
{
    if (m_state == State::training) {
        return;
    }
    if (m_training != nullptr) {
        m_training->control().resume();
        setState(State::training);
    } else {
        begin(false);
    }
}

void LabSession::pause()
{
    if (m_resume.isActive()) {
        m_resume.stop();
        setState(State::ready);
    } else if (m_state == State::training) {
        m_training->control().pause();
        m_left.pause();
        setState(State::paused);
    }
}

void LabSession::step()
{
    if (m_training == nullptr) {
        begin(true);
    }
    if (m_training != nullptr) {
        m_training->control().step();
        m_left.pause();
        setState(State::paused);
    }
}

void LabSession::reset()
{
    showLog({.plan = plan(), .machine = {}, .runs = {}});
}

// It saves what it has under way, and is forgotten then.
void LabSession::leaveTraining()
{
    if (m_training != nullptr) {
        m_training->stop();
        m_leaving.push_back(std::move(m_training));
    }
}

void LabSession::finish(const LabTraining* training, const Result<LabEnd>& end)
{
    std::erase_if(m_leaving, [training](const auto& each) { return each.get() == training; });
    if (m_training.get() != training || training == nullptr) {
        return;
    }
    m_training.reset();
    m_left.pause();
    readToEnd().ok(); // what fails is said by look()
    look();
    setState(isComplete() ? State::complete : State::ready);
    Q_EMIT logChanged();
    if (!end) {
        Q_EMIT failed(QString::fromStdString(end.error().message));
    }
}

bool LabSession::isComplete() const
{
    return m_tail && m_tail->isAtEnd() && !nextRun(log()) && !nextTiming(log());
}

bool LabSession::hasResult() const
{
    return std::ranges::any_of(log().runs, [](const LoggedRun& run) {
        return run.key.seed > 0 && run.end == RunEnd::finished;
    });
}

std::vector<RunUnderWay> LabSession::runsUnderWay() const
{
    return m_training != nullptr ? m_training->runs() : std::vector<RunUnderWay>{};
}

// Before all runs where the plan has branches, else after them.
bool LabSession::isTiming() const
{
    return m_training != nullptr && nextTiming(log()) && runsUnderWay().empty()
        && (!plan().branches.empty() || !nextRun(log()));
}

void LabSession::look()
{
    if (!m_tail) {
        return;
    }
    if (const Status read = readOn(); !read) {
        m_look.stop();
        Q_EMIT failed(QString::fromStdString(read.error().message));
        return;
    }
    if (m_training != nullptr && m_state == State::training) {
        m_left.look(m_clock(), runs(), m_training->begun());
    }
    if (m_training == nullptr) {
        m_look.setInterval(m_tail->isAtEnd() ? kRestEvery : kLookEvery);
        setState(isComplete() ? State::complete : State::ready);
    }
    Q_EMIT progressed();
}

void LabSession::setState(State state)
{
    if (state != m_state) {
        m_state = state;
        Q_EMIT stateChanged();
    }
}

void LabSession::readReferences()
{
    m_references->find(plan());
}

} // namespace flopsmith::ui

#include "moc_lab_session.cpp"
