// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include "ui/export/export_texts.h"
#include "ui/export/source_view.h"
#include "ui/widgets/layout/fit_screen.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/panel_splitter.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace flopsmith::ui {
namespace {

constexpr QSize kExportSize(980, 720);
constexpr int kPreviewMilliseconds = 150; ///< between two programs while a slider moves

QString accessibleText(const QString& text)
{
    return QString(text).remove(QLatin1Char('&'));
}

} // namespace

ExportDialog::ExportDialog(Document& document, const ExportTarget& target, QWidget& window)
    : QDialog(&window)
    , m_document(document)
    , m_target(target)
    , m_preview(target)
    , m_writing(target)
    , m_update([this] { m_preview.write(m_document.scenario(), options()); }, kPreviewMilliseconds)
{
    setObjectName(QStringLiteral("export.") + target.name);
    setAccessibleName(tr("Export to %1").arg(target.title));
    setWindowTitle(tr("Export to %1 – Flopsmith").arg(target.title));
    auto* column = new QVBoxLayout(this);
    addPanels(*column);
    addCopyButtons(*column);
    addOptions(*column);
    addEnd(*column);
    addClassKeys();
    connectAll();
    showWork(Work::none);
    resizeToFit(*this, kExportSize);
    m_classes->setFocus();
    m_update.request();
}

QString ExportDialog::named(const char* name) const
{
    return objectName() + QLatin1Char('.') + QLatin1String(name);
}

QPushButton* ExportDialog::addButton(QBoxLayout& line, const char* name, const QString& text)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(named(name));
    button->setAccessibleName(accessibleText(text));
    button->setAutoDefault(false);
    line.addWidget(button);
    return button;
}

QLabel* ExportDialog::addLabel(QBoxLayout& column, const char* name)
{
    auto* label = new QLabel(this);
    label->setObjectName(named(name));
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setWordWrap(true);
    column.addWidget(label);
    return label;
}

void ExportDialog::addPanels(QBoxLayout& column)
{
    QSplitter* panels = panelSplitter(named("panels"), Qt::Horizontal, this);
    auto* list = new Panel(named("list"), tr("Classes"), panels);
    m_classes = new QListWidget(list);
    m_classes->setObjectName(named("classes"));
    m_classes->setAccessibleName(tr("Classes of the program"));
    m_classes->setFrameShape(QFrame::NoFrame);
    m_classes->setProperty("flush", true);
    list->setBody(m_classes);
    m_sourcePanel = new Panel(named("program"), tr("Program"), panels);
    m_source = new SourceView(named("source"), m_sourcePanel);
    m_sourcePanel->setBody(m_source);
    panels->setSizes({220, 740});
    panels->setStretchFactor(0, 0);
    panels->setStretchFactor(1, 1);
    column.addWidget(panels, 1);
}

void ExportDialog::addCopyButtons(QBoxLayout& column)
{
    auto* line = new QHBoxLayout;
    m_copyClass = addButton(*line, "copyClass", tr("Copy c&lass"));
    m_copyAll = addButton(*line, "copyAll", tr("Copy &all"));
    line->addStretch(1);
    column.addLayout(line);
}

void ExportDialog::addOptions(QBoxLayout& column)
{
    auto* line = new QHBoxLayout;
    auto* label = new QLabel(tr("Se&ed of the weights"), this);
    label->setObjectName(named("seed.label"));
    m_seed = new QSpinBox(this);
    m_seed->setObjectName(named("seed"));
    m_seed->setAccessibleName(accessibleText(label->text()));
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setValue(static_cast<int>(FolderOptions().seed));
    label->setBuddy(m_seed);
    m_weights = new QCheckBox(tr("&Weights, drawn at random"), this);
    m_weights->setObjectName(named("weights"));
    m_weights->setAccessibleName(accessibleText(m_weights->text()));
    m_weights->setChecked(FolderOptions().weights);
    m_gradients = new QCheckBox(tr("&Gradients to compare with, of a large model too"), this);
    m_gradients->setObjectName(named("gradients"));
    m_gradients->setAccessibleName(accessibleText(m_gradients->text()));
    m_gradients->setToolTip(tr("They take as much memory as the weights in double precision. Of a "
                               "small model they are computed anyway."));
    m_gradients->setVisible(!m_target.check.isEmpty());
    line->addWidget(label);
    line->addWidget(m_seed);
    line->addWidget(m_weights);
    line->addWidget(m_gradients);
    line->addStretch(1);
    column.addLayout(line);
}

void ExportDialog::addEnd(QBoxLayout& column)
{
    m_plannedText = addLabel(column, "planned");
    m_busy = new QProgressBar(this);
    m_busy->setObjectName(named("busy"));
    m_busy->setAccessibleName(tr("The export is under way"));
    m_busy->setRange(0, 0);
    m_busy->setTextVisible(false);
    column.addWidget(m_busy);
    m_message = addLabel(column, "said");
    m_checked = addLabel(column, "checked");
    m_checked->setText(m_target.check.isEmpty()
                           ? tr("Not checked: this folder has nothing to compare with.")
                           : tr("Not checked yet: after an export its outputs are compared here, "
                                "if a Python with torch is found."));
    m_checked->setAccessibleName(m_checked->text());
    m_age = addLabel(column, "age");
    m_age->setText(tr("The design has changed since then."));
    m_age->setAccessibleName(m_age->text());
    m_age->hide();
    auto* line = new QHBoxLayout;
    line->addStretch(1);
    m_export = addButton(*line, "export", tr("E&xport …"));
    m_export->setProperty("primary", true);
    QPushButton* closing = addButton(*line, "close", tr("&Close"));
    connect(closing, &QPushButton::clicked, this, &QDialog::close);
    column.addLayout(line);
}

// Ctrl+C in the list copies the class and not its name.
void ExportDialog::addClassKeys()
{
    auto* copy = new QAction(tr("Copy class"), this);
    copy->setObjectName(named("copyKey"));
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    m_classes->addAction(copy);
    connect(copy, &QAction::triggered, this, &ExportDialog::copyClass);
}

void ExportDialog::connectAll()
{
    const auto update = [this] { m_update.request(); };
    connect(&m_document, &Document::scenarioChanged, this, update);
    connect(m_seed, &QSpinBox::valueChanged, this, update);
    connect(m_weights, &QCheckBox::toggled, this, update);
    connect(m_gradients, &QCheckBox::toggled, this, update);
    connect(&m_preview, &ProgramPreview::written, this, &ExportDialog::showPreview);
    connect(m_classes, &QListWidget::currentRowChanged, this, &ExportDialog::goToClass);
    connect(m_classes, &QListWidget::itemClicked, this, &ExportDialog::goToClass);
    connect(m_copyClass, &QPushButton::clicked, this, &ExportDialog::copyClass);
    connect(m_copyAll, &QPushButton::clicked, this, &ExportDialog::copyAll);
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::exportOrStop);
    connect(&m_writing, &FolderWriting::finished, this, &ExportDialog::take);
    connect(&m_check, &FolderCheck::finished, this, &ExportDialog::takeVerdict);
}

FolderOptions ExportDialog::options() const
{
    return {.seed = static_cast<std::uint64_t>(m_seed->value()),
            .weights = m_weights->isChecked(),
            .gradients = m_gradients->isChecked()};
}

void ExportDialog::showPreview(const Result<std::string>& source,
                               const Result<ExportedFolder>& folder)
{
    showProgram(source ? QString::fromStdString(*source) : QString());
    m_planned.reset();
    if (source && folder) {
        m_planned = *folder;
        showSentence(*m_plannedText, plannedText(m_target, *folder, options()));
    } else {
        const Error& error = source ? folder.error() : source.error();
        showSentence(
            *m_plannedText,
            tr("This design cannot be exported: %1").arg(QString::fromStdString(error.message)),
            "error");
    }
    showWork(m_work);
    showAge();
}

void ExportDialog::showProgram(const QString& program)
{
    if (program == m_program) {
        return;
    }
    m_program = program;
    m_parts = programParts(program);
    m_source->showProgram(program);
    m_sourcePanel->setNote(tr("%1 lines").arg(program.count(QLatin1Char('\n'))));
    fillClasses();
}

// The class that was chosen stays so by its name.
void ExportDialog::fillClasses()
{
    const QListWidgetItem* chosen = m_classes->currentItem();
    const QString name = chosen == nullptr ? QString() : chosen->text();
    const QSignalBlocker blocker(m_classes);
    m_classes->clear();
    for (int part = 0; part < m_parts.size(); ++part) {
        if (m_parts[part].kind == ProgramPart::Kind::classDefinition) {
            auto* item = new QListWidgetItem(m_parts[part].name, m_classes);
            item->setData(Qt::UserRole, part);
        }
    }
    const QList<QListWidgetItem*> same = m_classes->findItems(name, Qt::MatchExactly);
    m_classes->setCurrentRow(same.isEmpty() ? 0 : m_classes->row(same.front()));
    m_copyClass->setEnabled(m_classes->count() > 0);
    m_copyAll->setEnabled(!m_program.isEmpty());
}

void ExportDialog::goToClass()
{
    if (const QListWidgetItem* item = m_classes->currentItem()) {
        m_source->showLine(m_parts[item->data(Qt::UserRole).toInt()].line);
    }
}

void ExportDialog::copyClass()
{
    const QListWidgetItem* item = m_classes->currentItem();
    if (item == nullptr) {
        return;
    }
    const ProgramPart& part = m_parts[item->data(Qt::UserRole).toInt()];
    QGuiApplication::clipboard()->setText(part.text);
    QString sentence = tr("%1 is on the clipboard: %2 lines.")
                           .arg(part.name)
                           .arg(part.text.count(QLatin1Char('\n')));
    if (const QStringList called = calledParts(part, m_parts); !called.isEmpty()) {
        sentence += tr(" It also needs %1.").arg(called.join(QStringLiteral(", ")));
    }
    showSentence(*m_message, sentence);
}

void ExportDialog::copyAll()
{
    QGuiApplication::clipboard()->setText(m_program);
    showSentence(
        *m_message,
        tr("The program is on the clipboard: %1 lines.").arg(m_program.count(QLatin1Char('\n'))));
}

QString ExportDialog::planned() const
{
    return m_plannedText->text();
}

QString ExportDialog::message() const
{
    return m_message->text();
}

QString ExportDialog::checked() const
{
    return m_checked->text();
}

} // namespace flopsmith::ui

#include "moc_export_dialog.cpp"
