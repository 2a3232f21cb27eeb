// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/inspector.h"

#include "core/present/base/ffn_title.h"
#include "core/present/base/main_parameters.h"
#include "core/present/stack/stack.h"
#include "ui/document/scenario_edit.h"
#include "ui/inspector/ffn_foot.h"
#include "ui/inspector/group_heading.h"
#include "ui/inspector/more_line.h"
#include "ui/inspector/notice_line.h"
#include "ui/theme/theme.h"
#include "ui/theme/type_scale.h"
#include "ui/widgets/values/value_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kFlagColumns = 3;
constexpr int kGridColumns = 5;
constexpr int kSliderColumn = 2;

QString numberedTitle(const Model& model, int run)
{
    const int first = model.firstBlock(run) + 1;
    const int last = first + model.runs.at(static_cast<std::size_t>(run)).repeat - 1;
    return first == last ? Inspector::tr("Block %1").arg(first)
                         : Inspector::tr("Blocks %1 – %2").arg(first).arg(last);
}

QString titleOf(const Scenario& scenario, const Selection& selection)
{
    if (selection.isSeveral()) {
        const std::vector<int> runs = selection.runs();
        return Inspector::tr("%1 runs · %2 blocks").arg(runs.size()).arg(blocksIn(scenario, runs));
    }
    const Model& model = scenario.model;
    switch (selection.part) {
    case Selection::Part::embedding: return Inspector::tr("Embedding and workload");
    case Selection::Part::encoderNorm: return Inspector::tr("Encoder norm");
    case Selection::Part::finalNorm: return Inspector::tr("Final norm");
    case Selection::Part::head: return Inspector::tr("Head");
    case Selection::Part::run: break;
    }
    const Block& block = model.runs.at(static_cast<std::size_t>(selection.run)).block;
    return QStringLiteral("%1 · %2").arg(numberedTitle(model, selection.run),
                                         QString::fromStdString(ffnTitle(block.ffn)));
}

// A key of the controls, which are rebuilt when it changes: the parameters with their groups and
// kinds.
QStringList structureOf(const std::vector<Parameter>& parameters,
                        const Scenario& scenario,
                        const Selection& selection)
{
    // Without the run's number, because equal controls serve every run.
    QStringList structure{QString::number(static_cast<int>(selection.part))};
    for (const Parameter& parameter : parameters) {
        structure << QStringLiteral("%1/%2/%3")
                         .arg(keyInBlock(parameter),
                              QString::fromStdString(parameter.group),
                              QString::number(
                                  static_cast<int>(editorKind(parameter.value(scenario)))));
    }
    return structure;
}

// Prefixes up to the parameter's own name distinguish two stages of the same title.
std::string groupKey(const Parameter& parameter)
{
    const bool isStage = std::count(parameter.key.begin(), parameter.key.end(), '.') > 2;
    return isStage ? parameter.group + "/" + parameter.key.substr(0, parameter.key.rfind('.'))
                   : parameter.group;
}

} // namespace

Inspector::Inspector(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_burst(document)
    , m_scroll(new QScrollArea(this))
{
    setObjectName(QStringLiteral("inspector"));
    setAccessibleName(tr("Parameters of the selected part"));
    m_scroll->setObjectName(QStringLiteral("inspector.scroll"));
    m_scroll->setAccessibleName(tr("Parameters"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_scroll, 1);
    m_more = new MoreLine(this);
    column->addWidget(m_more);
    connect(m_more, &MoreLine::clicked, this, [this] { setShowsAll(!m_showsAll); });
    buildRowMenu();
    column->addWidget(new NoticeLine(document, this));
    m_foot = new FfnFoot(this);
    column->addWidget(m_foot);
    buildScopeButton();
    connect(&document, &Document::scenarioChanged, this, &Inspector::refresh);
    connect(&document, &Document::selectionChanged, this, &Inspector::refresh);
    connect(&document, &Document::rulesChanged, this, &Inspector::refresh);
    connect(&document.classLocks(), &ClassLocks::changed, this, &Inspector::refresh);
    connect(&document, &Document::changeRefused, this, &Inspector::refresh); // the old values again
    connect(&document, &Document::editScopeChanged, this, &Inspector::showScope);
    refresh();
}

QString Inspector::title() const
{
    return m_title;
}

void Inspector::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_isNarrow != isNarrow()) {
        refresh();
    }
}

bool Inspector::isNarrow() const
{
    constexpr int kTwoBoxes = 372; // pixels of two combo boxes side by side
    return width() < scaledToType(kTwoBoxes, *this);
}

void Inspector::refresh()
{
    const Scenario& scenario = m_document.scenario();
    const Selection selection = m_document.selection();
    const std::vector<Parameter> all = shownParameters(scenario, selection);
    const std::vector<Parameter> parameters = m_showsAll ? all : mainParameters(all);
    const QStringList structure = structureOf(parameters, scenario, selection)
        << QString::number(static_cast<int>(m_showsAll));
    showMore(all, parameters);
    if (structure != m_structure || m_isNarrow != isNarrow()) {
        m_structure = structure;
        m_isNarrow = isNarrow();
        rebuild(parameters);
    } else {
        for (std::size_t i = 0; i < m_editors.size(); ++i) {
            m_editors[i]->show(parameters[m_editedParameter[i]]);
        }
    }
    m_foot->show(m_document);
    showScope();
    if (const QString title = titleOf(scenario, selection); title != m_title) {
        m_title = title;
        Q_EMIT titleChanged(m_title);
    }
}

void Inspector::setShowsAll(bool all)
{
    m_showsAll = all;
    refresh();
}

// What is folded; nothing where everything matters.
void Inspector::showMore(const std::vector<Parameter>& all, const std::vector<Parameter>& shown)
{
    QStringList folded;
    for (const Parameter& parameter : all) {
        const bool isShown =
            std::any_of(shown.begin(), shown.end(), [&parameter](const auto& each) {
                return each.key == parameter.key;
            });
        if (!isShown) {
            folded << QString::fromUtf8(parameter.text.label);
        }
    }
    m_more->show(folded, m_showsAll);
    m_more->setVisible(m_showsAll ? mainParameters(all).size() < all.size() : !folded.isEmpty());
}

void Inspector::rebuild(const std::vector<Parameter>& parameters)
{
    ++m_rebuilds;
    m_editors.clear();
    auto* content = new QWidget(m_scroll);
    content->setObjectName(QStringLiteral("inspector.content"));
    content->setAccessibleName(tr("Parameters"));
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, 6, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(kSliderColumn, 1);
    grid->setColumnMinimumWidth(1, 22);
    int line = 0;
    for (auto first = parameters.begin(); first != parameters.end();) {
        const auto end = std::find_if(first, parameters.end(), [this, &first](const Parameter& p) {
            return m_showsAll && groupKey(p) != groupKey(*first);
        });
        line = m_showsAll ? addHeading(*grid, line, *first, *content) : line;
        line = addGroup(*grid, line, {first, end}, *content);
        first = end;
    }
    grid->setRowStretch(line, 1);
    m_editedParameter.clear();
    for (const ParameterEditor* editor : m_editors) {
        const auto same =
            std::find_if(parameters.begin(), parameters.end(), [editor](const auto& p) {
                return p.key == editor->parameter().key;
            });
        m_editedParameter.push_back(static_cast<std::size_t>(same - parameters.begin()));
    }
    // The old controls may still be emitting the change that replaces them.
    if (QWidget* old = m_scroll->widget()) {
        for (ValueBox* box : old->findChildren<ValueBox*>()) {
            box->blockSignals(true); // on losing the focus it would commit to a removed block
        }
        m_scroll->takeWidget(); // hides the widget, whose boxes lose the focus
        old->deleteLater();
    }
    m_scroll->setWidget(content);
    content->setAutoFillBackground(false); // transparent over the panel
    Q_EMIT rebuilt();
}

int Inspector::addHeading(QGridLayout& grid, int line, const Parameter& first, QWidget& parent)
{
    auto* heading = new GroupHeading(QString::fromStdString(first.group), first.component, &parent);
    const QString name = QString(keyInBlock(first)).section(QLatin1Char('.'), 0, -2);
    heading->setObjectName(
        QStringLiteral("inspector.heading.%1.%2").arg(QString::fromStdString(first.group), name));
    grid.addWidget(heading, line, 0, 1, kGridColumns);
    return line + 1;
}

int Inspector::addGroup(QGridLayout& grid,
                        int line,
                        const std::vector<Parameter>& group,
                        QWidget& parent)
{
    std::vector<Parameter> choices;
    std::vector<Parameter> flags;
    for (const Parameter& parameter : group) {
        switch (editorKind(parameter.value(m_document.scenario()))) {
        case EditorKind::slider:
            m_editors.push_back(
                new SliderEditor(m_document, parameter, m_burst, grid, line++, parent));
            break;
        case EditorKind::choice: choices.push_back(parameter); break;
        case EditorKind::flag: flags.push_back(parameter); break;
        }
    }
    line = addChoices(grid, line, choices, parent);
    addFlags(grid, line++, flags, parent);
    return line;
}

// Two combo boxes per line: the first is aligned with the sliders, the second follows it. A narrow
// panel has space for one.
int Inspector::addChoices(QGridLayout& grid,
                          int line,
                          const std::vector<Parameter>& choices,
                          QWidget& parent)
{
    const bool isAlone = m_isNarrow;
    QHBoxLayout* boxes = nullptr;
    for (const Parameter& parameter : choices) {
        auto* editor = new ChoiceEditor(m_document, parameter, parent);
        if (boxes != nullptr && isAlone) {
            boxes->addStretch(1);
            boxes = nullptr;
        }
        if (boxes == nullptr) {
            boxes = new QHBoxLayout;
            boxes->setSpacing(10);
            grid.addWidget(&editor->label(), line, 0);
            grid.addLayout(boxes, line++, kSliderColumn, 1, kGridColumns - kSliderColumn);
            boxes->addWidget(&editor->combo());
        } else {
            boxes->addSpacing(14);
            boxes->addWidget(&editor->label());
            boxes->addWidget(&editor->combo());
            boxes->addStretch(1);
            boxes = nullptr;
        }
        m_editors.push_back(editor);
    }
    if (boxes != nullptr) {
        boxes->addStretch(1);
    }
    return line;
}

void Inspector::addFlags(QGridLayout& grid,
                         int line,
                         const std::vector<Parameter>& flags,
                         QWidget& parent)
{
    auto* boxes = new QGridLayout;
    boxes->setHorizontalSpacing(16);
    boxes->setVerticalSpacing(4);
    const int columns = m_isNarrow ? kFlagColumns - 1 : kFlagColumns;
    int index = 0;
    for (const Parameter& parameter : flags) {
        auto* editor = new FlagEditor(m_document, parameter, parent);
        boxes->addWidget(&editor->box(), index / columns, index % columns);
        m_editors.push_back(editor);
        ++index;
    }
    boxes->setColumnStretch(columns, 1);
    grid.addLayout(boxes, line, 0, 1, kGridColumns);
}

} // namespace flopsmith::ui

#include "moc_inspector.cpp"
