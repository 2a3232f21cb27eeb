// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_session.h"

#include "core/base/file_suffix.h"
#include "core/base/text_file.h"
#include "core/io/project/version.h"
#include "core/lab/log/lab_merge.h"
#include "core/lab/log/reused_runs.h"
#include "core/lab/plan/lab_file.h"
#include "core/lab/task/training_text.h"
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

constexpr int kPollEvery = 100; ///< milliseconds while something is trained
constexpr int kRestEvery = 1'000; ///< at a log that another program may write
constexpr int kResumeDelay = 300; ///< milliseconds: keys of a slider begin one log, not one each
constexpr std::size_t kMaxBytes = 1 << 17; ///< of a log at one poll: some milliseconds
constexpr int kSmallWidth = 64; ///< of models whose state is saved often

std::string pathOf(const QString& path)
{
    return QFile::encodeName(path).toStdString();
}

LabPlan firstPlan()
{
    LabPlan plan{.task = TextTask{}, .seeds = 3};
    loadText(std::get<TextTask>(plan.task)).ok();
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
    connect(&m_poll, &QTimer::timeout, this, &LabSession::poll);
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

Status LabSession::change(const Edit& edit)
{
    catchUp().ok(); // all of its runs may be reused; what cannot be read is trained again
    LabPlan plan = m_log.plan;
    std::vector<Arm> chosen = plan.chosenArms();
    edit(plan, chosen);
    if (auto* text = std::get_if<TextTask>(&plan.task)) {
        FLOPSMITH_RETURN_IF_ERROR(loadText(*text));
    }
    FLOPSMITH_TRY(const LabPlan planned, plannedLab(plan, chosen));
    if (planned == m_log.plan) {
        return Done{};
    }
    const bool resumes = m_state == State::training;
    showLog(withPlan(m_log, planned), resumes ? State::training : State::ready);
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
    m_left = TimeLeft();
    m_poll.stop();
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
    LabLog log;
    const Result<LabTail> tail = LabTail::open(pathOf(path), log);
    if (tail) {
        showLog(std::move(log));
        m_tail = *tail;
        m_path = path;
        m_poll.start(kPollEvery);
        poll();
        return Done{};
    }
    if (!hasSuffix(pathOf(path), kLabSuffix)) {
        return tail.error();
    }
    const Result<std::string> text = textOfFile(pathOf(path));
    FLOPSMITH_TRY(const LabPlan plan,
                  text ? readLab(*text, path.toStdString()) : Result<LabPlan>(text.error()));
    LabPlan known = plan;
    if (auto* task = std::get_if<TextTask>(&known.task)) {
        FLOPSMITH_RETURN_IF_ERROR(loadText(*task));
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

// What is in the log that is not shown yet; of a log that another program may write, a part of it.
Status LabSession::readNext()
{
    bool isNew = false;
    if (m_training != nullptr) {
        for (const LogLine& line : m_training->takeLines()) {
            m_log.damagedLines += applyLine(line, m_log) ? 0 : 1;
            m_tail->skip(line);
            isNew = true;
        }
    } else {
        FLOPSMITH_TRY(isNew, m_tail->readNext(kMaxBytes, m_log));
    }
    if (isNew) {
        Q_EMIT logChanged();
    }
    return Done{};
}

Status LabSession::catchUp()
{
    bool isAtEnd = !m_tail;
    while (!isAtEnd) {
        FLOPSMITH_RETURN_IF_ERROR(readNext());
        isAtEnd = m_tail->isAtEnd();
    }
    return Done{};
}

// A file for a log that has none, with the runs that it took over.
Status LabSession::beginLog()
{
    if (!QDir().mkpath(m_folder)) {
        return Error{m_folder.toStdString() + ": this folder for logs of labs cannot be made"};
    }
    if (const std::string here = machineName(workers()); m_log.machine != here) {
        m_log.machine = here;
        m_log.timings.clear(); // of another machine
    }
    if (m_log.runs.empty()) { // else it is of the program that trained them
        m_log.program = programVersion();
    }
    const QString path = newLogPath();
    const std::string text = logText(m_log);
    if (const Status written = writeFile(pathOf(path), text); !written) {
        QFile::remove(path);
        return written;
    }
    m_path = path;
    m_tail.emplace(pathOf(path), std::ssize(text));
    return Done{};
}

// The log's file, which no other program writes from now on.
Result<LabLogFile> LabSession::lockedLog()
{
    if (!m_tail) {
        FLOPSMITH_RETURN_IF_ERROR(beginLog());
    }
    return LabLogFile::reopen(*m_tail, m_log);
}

void LabSession::begin(bool paused)
{
    m_resume.stop();
    Result<LabLogFile> log = lockedLog();
    if (!log) {
        setState(State::ready);
        Q_EMIT failed(QString::fromStdString(log.error().message));
        return;
    }
    if (!paused) {
        m_left.update(m_clock(), runs(), 0.0); // time counts from here
    }
    const bool isSmall = plan().sizes.dModel <= kSmallWidth;
    TrainingOrder order{.workers = m_workers, .saveEvery = isSmall ? 3.0 : 10.0, .paused = paused};
    // The pointer only says which training it was: it may be gone then.
    auto own = std::make_shared<const LabTraining*>(nullptr);
    m_training = std::make_unique<LabTraining>(
        std::move(*log), std::move(order), [this, own](const Result<LabEnd>& end) {
            QMetaObject::invokeMethod(this, [this, own, end] { finish(*own, end); });
        });
    *own = m_training.get();
    m_poll.start(kPollEvery);
    setState(paused ? State::paused : State::training);
    Q_EMIT logChanged();
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
    readNext().ok(); // its last lines
    m_training.reset();
    m_left.pause();
    poll();
    setState(isComplete() ? State::complete : State::ready);
    Q_EMIT logChanged();
    if (!end) {
        Q_EMIT failed(QString::fromStdString(end.error().message));
    }
}

bool LabSession::isComplete() const
{
    return m_tail && m_tail->isAtEnd() && !nextRun(m_log) && !nextTiming(m_log);
}

bool LabSession::hasResult() const
{
    return std::ranges::any_of(m_log.runs, [](const LoggedRun& run) {
        return run.key.seed > 0 && run.end == RunEnd::finished;
    });
}

std::vector<RunUnderWay> LabSession::runsUnderWay() const
{
    std::vector<RunUnderWay> runs;
    if (m_training != nullptr) {
        runs = m_training->runs();
    }
    std::erase_if(runs, [this](const RunUnderWay& each) {
        const LoggedRun* run = m_log.run(each.key);
        return run != nullptr && run->end != RunEnd::open;
    });
    return runs;
}

// Before all runs where the plan has branches, else after them.
bool LabSession::isTiming() const
{
    return m_training != nullptr && nextTiming(m_log) && runsUnderWay().empty()
        && (!plan().branches.empty() || !nextRun(m_log));
}

void LabSession::poll()
{
    if (!m_tail) {
        return;
    }
    if (const Status read = readNext(); !read) {
        m_poll.stop();
        Q_EMIT failed(QString::fromStdString(read.error().message));
        return;
    }
    if (m_training != nullptr && m_state == State::training) {
        m_left.update(m_clock(), runs(), trainedShare(runsUnderWay()));
    }
    if (m_training == nullptr) {
        m_poll.setInterval(m_tail->isAtEnd() ? kRestEvery : kPollEvery);
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
