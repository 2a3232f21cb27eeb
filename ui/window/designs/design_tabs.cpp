// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/designs/design_tabs.h"

#include "core/base/text.h"
#include "core/present/base/design_marks.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/window/designs/design_actions.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPixmap>
#include <QToolButton>

#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr int kSwatch = 10;

// "218.7 GFLOPs"
QString operationsText(const std::optional<Count>& count, LensId id)
{
    if (!count) {
        return DesignTabs::tr("no %1 defined").arg(fromUtf8(lens(id).unit));
    }
    const ShortNumber number = shortNumber(toDouble(*count));
    return QString::fromStdString(number.figure + " " + number.prefix) + fromUtf8(lens(id).unit);
}

// "+12.3 G", "−12.3 G", or that nothing differs: the unit would take the room of the name. Nothing
// where the lens has no figure for one of the two.
QString moreText(const std::optional<Count>& flops, const std::optional<Count>& live)
{
    if (!flops || !live) {
        return {};
    }
    const double more = toDouble(*flops - *live);
    if (more == 0.0) {
        return DesignTabs::tr("±0");
    }
    return (more < 0.0 ? QStringLiteral("\u2212") : QStringLiteral("+"))
        + QString::fromStdString(shortNumber(std::abs(more)).text());
}

// "+12.3 GFLOPs"
QString withUnit(const QString& more, LensId id)
{
    const bool hasPrefix = more.contains(QLatin1Char(' '));
    return more + (hasPrefix ? QString() : QStringLiteral(" ")) + fromUtf8(lens(id).unit);
}

QToolButton* smallButton(const QString& name, const QString& accessibleName, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setAccessibleName(accessibleName);
    button->setToolTip(accessibleName);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace

DesignTabs::DesignTabs(Document& document,
                       Designs& designs,
                       DesignActions& actions,
                       QWidget* parent)
    : QFrame(parent)
    , m_document(document)
    , m_designs(designs)
    , m_actions(actions)
    , m_update([this] { showDesigns(); })
{
    setObjectName(QStringLiteral("designs"));
    setAccessibleName(tr("Designs beside each other"));
    setProperty("panel", true);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(14, 4, 8, 4);
    line->setSpacing(8);
    addLive(*line);
    for (std::size_t place = 0; place < Designs::kMaxFrozen; ++place) {
        m_tabs.push_back(addTab(*line, static_cast<char>('A' + static_cast<int>(place))));
    }
    line->addStretch(1);
    addButtons(*line);
    connect(&designs, &Designs::changed, this, &DesignTabs::showDesigns);
    connect(&document, &Document::scenarioChanged, this, [this] { m_update.request(); });
    connect(&document, &Document::lensChanged, this, [this] { m_update.request(); });
    updateIcons();
    showDesigns();
}

void DesignTabs::addLive(QHBoxLayout& line)
{
    m_live = new ElidedLabel(ElidedLabel::Role::title, Qt::AlignLeft, this);
    m_live->setObjectName(QStringLiteral("designs.live"));
    m_live->setAccessibleName(tr("Live design"));
    line.addWidget(m_live);
}

DesignTabs::Tab DesignTabs::addTab(QHBoxLayout& line, char letter)
{
    const QChar shown = QChar::fromLatin1(letter);
    const QString name = QStringLiteral("designs.%1").arg(shown);
    Tab tab{.letter = letter, .frame = new QFrame(this)};
    tab.frame->setObjectName(name);
    tab.frame->setAccessibleName(tr("Design %1").arg(shown));
    tab.frame->setProperty("chip", true);
    auto* inside = new QHBoxLayout(tab.frame);
    inside->setContentsMargins(8, 1, 2, 1);
    inside->setSpacing(6);
    tab.swatch = new QLabel(tab.frame);
    tab.swatch->setObjectName(name + QStringLiteral(".colour"));
    tab.swatch->setAccessibleName(tr("Colour of design %1").arg(shown));
    tab.name = new ElidedLabel(ElidedLabel::Role::title, Qt::AlignLeft, tab.frame);
    tab.name->setObjectName(name + QStringLiteral(".name"));
    tab.cost = new QLabel(tab.frame);
    tab.cost->setObjectName(name + QStringLiteral(".cost"));
    tab.name->setAccessibleName(tr("Name of design %1").arg(shown));
    tab.cost->setAccessibleName(tr("Cost of design %1").arg(shown));
    tab.cost->setProperty("role", "muted");
    tab.swatch->setTextFormat(Qt::PlainText);
    tab.cost->setTextFormat(Qt::PlainText);
    tab.more = smallButton(
        name + QStringLiteral(".more"), tr("Actions of design %1").arg(shown), tab.frame);
    tab.more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(tab.more);
    menu->setObjectName(name + QStringLiteral(".menu"));
    menu->setAccessibleName(tr("Actions of design %1").arg(shown));
    menu->addActions(
        {&m_actions.swap(letter), &m_actions.rename(letter), &m_actions.remove(letter)});
    tab.more->setMenu(menu);
    tab.close =
        smallButton(name + QStringLiteral(".close"), tr("Remove design %1").arg(shown), tab.frame);
    connect(tab.close, &QToolButton::clicked, &m_actions.remove(letter), &QAction::trigger);
    inside->addWidget(tab.swatch);
    inside->addWidget(tab.name, 1);
    inside->addWidget(tab.cost);
    inside->addWidget(tab.more);
    inside->addWidget(tab.close);
    line.addWidget(tab.frame); // as wide as its texts, as long as there is room
    return tab;
}

void DesignTabs::addButtons(QHBoxLayout& line)
{
    auto* freeze = smallButton(QStringLiteral("designs.freeze"), tr("Freeze the design"), this);
    freeze->setText(tr("Freeze"));
    freeze->setToolTip(m_actions.freeze().toolTip());
    connect(freeze, &QToolButton::clicked, &m_actions.freeze(), &QAction::trigger);
    auto* add = smallButton(QStringLiteral("designs.add"), tr("Compare with another model"), this);
    add->setText(tr("Compare with"));
    add->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(add);
    menu->setObjectName(QStringLiteral("designs.add.menu"));
    menu->setAccessibleName(tr("Compare with another model"));
    menu->addActions(m_actions.additions());
    add->setMenu(menu);
    m_closeAll = smallButton(QStringLiteral("designs.closeAll"), tr("Stop comparing"), this);
    connect(m_closeAll, &QToolButton::clicked, &m_actions.closeAll(), &QAction::trigger);
    for (QToolButton* button : {freeze, add, m_closeAll}) {
        line.addWidget(button);
    }
    connect(&m_designs, &Designs::changed, freeze, [this, freeze, add] {
        freeze->setVisible(!m_designs.isFull()); // names need the room then
        add->setVisible(!m_designs.isFull());
    });
}

void DesignTabs::showDesigns()
{
    setVisible(!m_designs.isEmpty());
    if (m_designs.isEmpty()) {
        return;
    }
    const QString live = tr("live: %1").arg(QString::fromStdString(m_document.model().name));
    m_live->setText(live);
    m_live->setDetail(operationsText(m_document.costSummary().flops, m_document.lens()));
    for (const Tab& tab : m_tabs) {
        tab.frame->hide();
    }
    for (std::size_t index = 0; index < m_designs.size(); ++index) {
        showTab(m_tabs.at(static_cast<std::size_t>(m_designs.at(index).letter - 'A')), index);
    }
}

// A workload of its own is said, because its figures are of other tokens than those of the others. The
// figures here are the same in every precision, which the tool tip names.
void DesignTabs::showTab(const Tab& tab, std::size_t index)
{
    const FrozenDesign& design = m_designs.at(index);
    const Workload& workload = design.scenario.workload;
    const Workload& ofLive = m_document.scenario().workload;
    const bool sameWorkload = isSamePass(workload, ofLive);
    const QString precision = fromUtf8(precisionText(workload.precision));
    const QString named =
        QStringLiteral("%1: %2").arg(QChar::fromLatin1(design.letter)).arg(design.name());
    const CostSummary cost = m_designs.costSummary(index);
    const QString more = moreText(cost.flops, m_document.costSummary().flops);
    const QString exactly = more.isEmpty()
        ? tr("nothing to compare")
        : tr("%1 against the live design").arg(withUnit(more, m_document.lens()));
    tab.name->setText(sameWorkload ? named : tr("%1 (own workload)").arg(named));
    tab.name->setDetail(
        tr("%1, %2; %3, %4")
            .arg(operationsText(cost.flops, m_document.lens()),
                 exactly,
                 sameWorkload ? tr("under the same workload")
                              : tr("under its own workload: %1, batch %2, %3")
                                    .arg(fromUtf8(enumName(workload.phase)))
                                    .arg(workload.batch)
                                    .arg(QString::fromStdString(design.scenario.tokensText())),
                 precision));
    tab.cost->setText(more);
    tab.cost->setAccessibleName(exactly);
    tab.cost->setToolTip(exactly);
    tab.frame->setAccessibleName(tr("%1, %2").arg(tab.name->text(), more));
    tab.frame->show();
}

void DesignTabs::updateIcons()
{
    const Theme& theme = systemTheme();
    for (const Tab& tab : m_tabs) {
        QPixmap colour(kSwatch, kSwatch);
        colour.fill(lineColour(designMark(tab.letter), theme));
        tab.swatch->setPixmap(colour);
        tab.more->setIcon(themedIcon(QStringLiteral("more"), theme.mutedText));
        tab.close->setIcon(themedIcon(QStringLiteral("close"), theme.mutedText));
    }
    m_closeAll->setIcon(themedIcon(QStringLiteral("close"), theme.mutedText));
}

} // namespace flopsmith::ui

#include "moc_design_tabs.cpp"
