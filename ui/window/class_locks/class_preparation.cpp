// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/class_locks/class_preparation.h"

#include "core/share/shared_page.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/class_locks/class_lock_menu.h"
#include "ui/widgets/pages.h"
#include "ui/window/bars/top_bar.h"
#include "ui/window/files/question_bars.h"

#include <QAction>
#include <QApplication>
#include <QIcon>
#include <QMainWindow>
#include <QMenu>
#include <QTabBar>

#include <string>
#include <string_view>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr const char* kBanner = "class";

// The name that share codes have for a page, or its own.
std::string idOfPage(const QString& page)
{
    const std::string name = page.toStdString();
    const std::string_view view = viewOfPage(name);
    return view.empty() ? name : std::string(view);
}

bool isHidden(const Document& document, const std::string& key)
{
    return classLockOfKey(document.classLocks().held(), key) != nullptr;
}

} // namespace

ClassPreparation::ClassPreparation(Document& document,
                                   QuestionBars& questions,
                                   Pages& pages,
                                   TopBar& bar,
                                   QMainWindow& window)
    : QObject(&window)
    , m_document(document)
    , m_questions(questions)
    , m_pages(pages)
    , m_bar(bar)
    , m_window(window)
    , m_action(new QAction(tr("Prepare &for class"), &window))
{
    m_action->setObjectName(QStringLiteral("help.prepare"));
    m_action->setCheckable(true);
    m_action->setToolTip(tr("Hide, fix or bound controls for students, by their menus"));
    connect(m_action, &QAction::triggered, this, &ClassPreparation::prepare);
    connect(&document.classLocks(), &ClassLocks::changed, this, &ClassPreparation::follow);
    pages.tabs().setContextMenuPolicy(Qt::CustomContextMenu);
    connect(
        &pages.tabs(), &QWidget::customContextMenuRequested, this, &ClassPreparation::openPageMenu);
    bar.lensChip().setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&bar.lensChip(),
            &QWidget::customContextMenuRequested,
            this,
            &ClassPreparation::openLensMenu);
}

void ClassPreparation::addTo(QMenu& menu)
{
    menu.addAction(m_action);
    m_window.addAction(m_action);
}

void ClassPreparation::prepare(bool on)
{
    if (on && !m_document.classLocks().held().empty()) {
        m_action->setChecked(false);
        askToUnlock(true);
        return;
    }
    m_document.classLocks().setPreparing(on);
}

void ClassPreparation::follow()
{
    m_action->setChecked(m_document.classLocks().isPreparing());
    hidePages();
    markPages();
    hideActions();
    const Banner now = m_document.classLocks().isPreparing() ? Banner::preparing
        : !m_document.classLocks().held().empty()            ? Banner::locked
                                                             : Banner::none;
    if (now != m_banner) {
        m_banner = now;
        showBanner();
    }
}

void ClassPreparation::showBanner()
{
    const QString name = QLatin1String(kBanner);
    switch (m_banner) {
    case Banner::none: m_questions.withdraw(name); break;
    case Banner::preparing:
        m_questions.ask(name,
                        tr("Preparing for class: the menu of a parameter, of a page's tab or of "
                           "the lens hides, fixes or bounds it for students."),
                        {{QStringLiteral("done"), tr("D&one"), [this] {
                              m_document.classLocks().setPreparing(false);
                          }}});
        break;
    case Banner::locked:
        m_questions.ask(
            name,
            tr("Prepared for class: some controls are locked."),
            {{QStringLiteral("unlock"), tr("&Unlock…"), [this] { askToUnlock(false); }}});
        break;
    }
}

// In place of the line, which comes back if the locks stay.
void ClassPreparation::askToUnlock(bool andPrepare)
{
    m_questions.ask(
        QLatin1String(kBanner),
        tr("Unlock the controls? It cannot be undone, and a file that is handed in says so."),
        {{QStringLiteral("keep"), tr("&Keep locked"), [this] { showBanner(); }},
         {QStringLiteral("confirm"), tr("&Unlock"), [this, andPrepare] {
              m_document.classLocks().unlock();
              if (andPrepare) {
                  m_document.classLocks().setPreparing(true);
              }
          }}});
}

void ClassPreparation::hidePages()
{
    QStringList hidden;
    for (const ClassLock& lock : m_document.classLocks().held()) {
        if (controlOf(lock) == LockedControl::page) {
            const std::string id = lock.key.substr(lock.key.find(':') + 1);
            const std::string_view page = pageOfView(id);
            hidden << (page.empty() ? QString::fromStdString(id) : fromUtf8(page));
        }
    }
    m_pages.setHidden(hidden);
}

// While a design is prepared, the tabs of pages that students will not have show a padlock.
void ClassPreparation::markPages()
{
    QTabBar& tabs = m_pages.tabs();
    for (int page = 0; page < m_pages.count(); ++page) {
        const std::string key = classLockKeyOfPage(idOfPage(m_pages.page(page).objectName()));
        const ClassLock* lock = m_document.classLocks().isPreparing()
            ? classLockOfKey(m_document.classLocks().all(), key)
            : nullptr;
        const QColor colour = systemTheme().mutedText;
        tabs.setTabIcon(page,
                        lock == nullptr ? QIcon() : themedIcon(QStringLiteral("lock"), colour));
        tabs.setTabToolTip(
            page, lock == nullptr ? QString() : QString::fromStdString(classLockText(*lock)));
    }
}

// Never the one that unlocks.
void ClassPreparation::hideActions()
{
    for (const QPointer<QAction>& action : std::exchange(m_hidden, {})) {
        if (action != nullptr) {
            action->setVisible(true);
        }
    }
    const QList<QAction*> all = m_window.findChildren<QAction*>();
    for (QAction* action : all) {
        const std::string key = classLockKeyOfAction(action->objectName().toStdString());
        if (action != m_action && action->isVisible() && isHidden(m_document, key)) {
            action->setVisible(false);
            m_hidden.append(action);
        }
    }
}

QMenu* ClassPreparation::newMenu(const QString& name, const QString& accessibleName)
{
    auto* menu = new QMenu(&m_window);
    menu->setObjectName(name);
    menu->setAccessibleName(accessibleName);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    return menu;
}

void ClassPreparation::openPageMenu(const QPoint& place)
{
    if (!m_document.classLocks().isPreparing()) {
        return;
    }
    QTabBar& tabs = m_pages.tabs();
    const int asked = tabs.tabAt(place);
    const int page = asked < 0 ? m_pages.current() : asked; // by the keyboard
    QMenu* menu = newMenu(QStringLiteral("pageMenu"), tr("What students have of the page"));
    addClassLockActions(*menu,
                        m_document,
                        classLockKeyOfPage(idOfPage(m_pages.page(page).objectName())),
                        {ClassLock::Kind::hidden},
                        m_window);
    menu->popup(tabs.mapToGlobal(place));
}

void ClassPreparation::openLensMenu(const QPoint& place)
{
    if (!m_document.classLocks().isPreparing()) {
        return;
    }
    QMenu* menu = newMenu(QStringLiteral("lensMenu"), tr("What students have of the lens"));
    addClassLockActions(
        *menu, m_document, "lens", {ClassLock::Kind::hidden, ClassLock::Kind::fixed}, m_window);
    menu->popup(m_bar.lensChip().mapToGlobal(place));
}

} // namespace flopsmith::ui

#include "moc_class_preparation.cpp"
