// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/top_bar.h"

#include "core/model/presets.h"
#include "core/study/compare/comparison.h"
#include "ui/document/edits/model_edit.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/lens_menu.h"
#include "ui/widgets/menu_heading.h"
#include "ui/window/bars/bar_button.h"
#include "ui/window/bars/bar_menus.h"
#include "ui/window/bars/locked_control.h"
#include "ui/window/bars/precision_choice.h"
#include "ui/window/bars/workload_chips.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>

namespace flopsmith::ui {
namespace {

constexpr int kBarHeight = 50;
constexpr int kIconButton = 32;

} // namespace

TopBar::TopBar(Document& document, QWidget* parent)
    : Bar(Place::top, kBarHeight, parent)
    , m_document(document)
    , m_line(new QHBoxLayout(this))
    , m_folding(*m_line)
{
    setObjectName(QStringLiteral("bar"));
    setAccessibleName(tr("Model and workload"));
    m_line->setContentsMargins(18, 0, 12, 0);
    m_line->setSpacing(6);
    addModel(*m_line);
    m_workload = new WorkloadChips(document, *this, *m_line);
    addPrecision(*m_line);
    addLens(*m_line);
    m_line->addStretch(1);
    m_menus = new BarMenus(*this, *m_line, m_folding);
    m_theme = barButton(QStringLiteral("theme"), tr("Light or dark"), *this);
    m_line->addWidget(m_theme);
    m_folding.hideFrom(BarFolding::Level::theme, *m_theme);
    connect(&document, &Document::scenarioChanged, this, &TopBar::showScenario);
    connect(&document, &Document::lensChanged, this, &TopBar::showLens);
    connect(&document.classLocks(), &ClassLocks::changed, this, &TopBar::showClassLocks);
    connect(&document, &Document::changeRefused, this, &TopBar::showScenario); // the old values
    showScenario();
    showLens();
    updateIcons();
}

void TopBar::addModel(QHBoxLayout& line)
{
    m_wordmark = new QLabel(QStringLiteral("Flopsmith"), this);
    m_wordmark->setObjectName(QStringLiteral("bar.wordmark"));
    m_wordmark->setAccessibleName(QStringLiteral("Flopsmith"));
    m_wordmark->setFont(uiFont(QApplication::font().pointSizeF() * 1.25, QFont::Bold));
    m_wordmark->setContentsMargins(0, 0, 8, 0);
    line.addWidget(m_wordmark);
    m_folding.hideFrom(BarFolding::Level::wordmark, *m_wordmark);
    m_model = new ChoiceChip(QStringLiteral("model"), tr("Model"), tr("Model"), this);
    m_model->setCharacters(8, 28);
    for (const Preset& preset : presets()) {
        QMenu& kind = submenuOf(m_model->choices(), fromUtf8(title(preset.kind)));
        QAction* action = kind.addAction(
            fromUtf8(preset.title), this, [this, &preset] { replaceModel(m_document, preset); });
        action->setToolTip(fromUtf8(preset.note));
    }
    line.addWidget(m_model);
    m_undo = barButton(QStringLiteral("undo"), tr("Undo"), *this);
    m_redo = barButton(QStringLiteral("redo"), tr("Redo"), *this);
    for (QToolButton* button : {m_undo, m_redo}) {
        button->setFixedWidth(kIconButton);
        line.addWidget(button);
        m_folding.hideFrom(BarFolding::Level::undo, *button);
    }
}

// Without a caption: its value says what it is.
void TopBar::addPrecision(QHBoxLayout& line)
{
    m_precision = new ChoiceChip(
        QStringLiteral("precision"), QString(), tr("Precision of weights and activations"), this);
    m_precision->setCharacters(6, 10);
    fillPrecisionMenu(m_precision->choices(), m_document);
    line.addWidget(m_precision);
    m_folding.hideFrom(BarFolding::Level::precision, *m_precision);
}

void TopBar::addLens(QHBoxLayout& line)
{
    m_lens =
        new ChoiceChip(QStringLiteral("lens"), tr("Count"), tr("How operations are counted"), this);
    m_lens->setCharacters(6, 28);
    fillLensMenu(m_lens->choices(), [this](LensId id) { m_document.chooseLens(id); });
    line.addWidget(m_lens);
}

QMenu& TopBar::addMenu(const QString& name, const QString& title)
{
    return m_menus->add(name, title);
}

QToolButton& TopBar::foldedMenus()
{
    return m_menus->folded();
}

QSize TopBar::minimumSizeHint() const
{
    return {m_folding.minimumWidth(), height()};
}

bool TopBar::event(QEvent* event)
{
    const bool done = Bar::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) {
        m_folding.fit(width());
    }
    return done;
}

void TopBar::setUndoActions(QAction& undo, QAction& redo)
{
    const auto follow = [](QToolButton& button, QAction& action) {
        QObject::connect(&button, &QToolButton::clicked, &action, &QAction::trigger);
        QObject::connect(&action, &QAction::changed, &button, [&button, &action] {
            button.setEnabled(action.isEnabled());
            button.setToolTip(action.text().replace(QLatin1String("&&"), QLatin1String("&")));
        });
        button.setEnabled(action.isEnabled());
    };
    follow(*m_undo, undo);
    follow(*m_redo, redo);
}

void TopBar::updateIcons()
{
    const Theme& theme = systemTheme();
    const QString name = theme.dark ? QStringLiteral("sun") : QStringLiteral("moon");
    m_theme->setIcon(themedIcon(name, theme.text));
    m_theme->setToolTip(theme.dark ? tr("Light theme") : tr("Dark theme"));
    m_menus->updateIcon();
    m_undo->setIcon(themedIcon(QStringLiteral("undo"), theme.text));
    m_redo->setIcon(themedIcon(QStringLiteral("redo"), theme.text));
}

NumberChip* TopBar::numberChip(const QString& key)
{
    return m_workload->number(key);
}

void TopBar::showScenario()
{
    const Scenario& scenario = m_document.scenario();
    m_model->setValue(QString::fromStdString(scenario.model.name));
    m_model->setToolTip(m_model->value());
    m_precision->setValue(shortPrecision(scenario.workload.precision));
    m_precision->setToolTip(tr("Bytes, and the peak that bounds the time, are counted %1.")
                                .arg(fromUtf8(inPrecision(scenario.workload.precision))));
}

void TopBar::showClassLocks()
{
    const ClassLock* lock = classLockOfKey(m_document.classLocks().held(), "lens");
    showClassLock(*m_lens, lock, fromUtf8(flopsmith::lens(m_document.lens()).rule));
    m_lens->setVisible(!isHiddenBy(lock));
}

void TopBar::showLens()
{
    const Lens& shown = flopsmith::lens(m_document.lens());
    m_lens->setValue(fromUtf8(shown.name));
    if (classLockOfKey(m_document.classLocks().held(), "lens") == nullptr) {
        m_lens->setToolTip(fromUtf8(shown.rule));
    }
}

} // namespace flopsmith::ui

#include "moc_top_bar.cpp"
