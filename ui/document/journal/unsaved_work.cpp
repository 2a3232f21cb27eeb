// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/journal/unsaved_work.h"

#include "core/base/legal_values.h"
#include "core/io/reading.h"
#include "core/parameter/differences.h"
#include "ui/document/document.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

struct UnsavedWork
{
    Q_DECLARE_TR_FUNCTIONS(flopsmith::ui::UnsavedWork)
};

// Whether the crash came after saving and before the journal was removed.
bool isInItsFile(const JournalEntry& entry)
{
    const QString file = QString::fromStdString(entry.file);
    if (file.isEmpty() || !QFileInfo(file).isFile()) {
        return false;
    }
    const Result<Loaded> loaded = loadModel(QFile::encodeName(file).toStdString());
    return loaded.ok() && loaded->from == LoadedFrom::project
        && loaded->project.scenario == entry.project.scenario;
}

QString timeText(std::int64_t seconds, const QDateTime& now)
{
    const QDateTime time = QDateTime::fromSecsSinceEpoch(seconds);
    const QString clock = time.toString(QStringLiteral("HH:mm"));
    return time.date() == now.date()
        ? UnsavedWork::tr("at %1").arg(clock)
        : UnsavedWork::tr("on %1 at %2").arg(time.date().toString(Qt::ISODate), clock);
}

QString nameOf(const JournalEntry& entry)
{
    return entry.file.empty() ? QString::fromStdString(entry.project.scenario.model.name)
                              : QFileInfo(QString::fromStdString(entry.file)).fileName();
}

// The value that a step set its parameter to; empty for other steps.
QString valueSet(const QString& step, const Scenario& before, const Scenario& after)
{
    for (const ParameterDifference& each : parameterDifferences(before, after)) {
        const QString label = QString::fromStdString(std::string(each.parameter.text.label));
        if (step == Document::tr("Set %1").arg(label)) {
            return QString::fromStdString(valueText(each.after));
        }
    }
    return {};
}

// "Set d_model to 1024"
QString lastStep(const JournalHistory& history)
{
    const QString step = QString::fromStdString(history.last().step);
    if (history.entries.size() < 2) {
        return step;
    }
    const Scenario& before = history.entries[history.entries.size() - 2].project.scenario;
    const QString value = valueSet(step, before, history.last().project.scenario);
    return value.isEmpty() ? step : UnsavedWork::tr("%1 to %2").arg(step, value);
}

QString contents(const JournalHistory& history)
{
    const JournalEntry& last = history.last();
    const int steps = history.unsavedSteps();
    if (steps == 0 || last.step.empty()) {
        return {};
    }
    const QString step = lastStep(history);
    return steps == 1 ? UnsavedWork::tr(": 1 step, “%1”").arg(step)
                      : UnsavedWork::tr(": %1 steps, the last “%2”").arg(steps).arg(step);
}

} // namespace

std::vector<AbandonedJournal> unsavedWork(const std::filesystem::path& folder)
{
    std::vector<AbandonedJournal> unsaved;
    for (AbandonedJournal& journal : abandonedJournals(folder)) {
        if (journal.history && isInItsFile(journal.history->last())) {
            journal.file.remove();
        } else {
            unsaved.push_back(std::move(journal));
        }
    }
    std::stable_partition(unsaved.begin(), unsaved.end(), [](const AbandonedJournal& journal) {
        return journal.history.ok();
    });
    return unsaved;
}

QString sentenceOf(const AbandonedJournal& journal, const QDateTime& now)
{
    const QString when = timeText(journal.written, now);
    if (!journal.history) {
        return UnsavedWork::tr(
                   "Flopsmith did not close properly %1, and its journal of unsaved work "
                   "cannot be read (%2): %3")
            .arg(when,
                 QString::fromStdString(journal.history.error().message),
                 QString::fromStdString(journal.file.path().string()));
    }
    return UnsavedWork::tr("Flopsmith did not close properly %1. Unsaved work on %2%3.")
        .arg(when, nameOf(journal.history->last()), contents(*journal.history));
}

} // namespace flopsmith::ui
