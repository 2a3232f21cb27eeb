// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QList>
#include <QObject>
#include <QPointer>

QT_BEGIN_NAMESPACE
class QAction;
class QMainWindow;
class QMenu;
class QPoint;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Pages;
class QuestionBars;
class TopBar;

/// "Prepare for class" in the window: the action that begins and ends it, the menus of pages and of
/// the lens by which they are locked, the line that says so with a way to unlock, and that hidden
/// pages and actions are not there.
class ClassPreparation : public QObject
{
    Q_OBJECT

public:
    ClassPreparation(Document& document,
                     QuestionBars& questions,
                     Pages& pages,
                     TopBar& bar,
                     QMainWindow& window);

    void addTo(QMenu& menu);

private:
    /// What the line across the window is about.
    enum class Banner { none, preparing, locked };

    void prepare(bool on);
    void follow();
    void showBanner();
    void askToUnlock(bool andPrepare);
    void hidePages();
    void markPages();
    void hideActions();
    void openPageMenu(const QPoint& place);
    void openLensMenu(const QPoint& place);
    QMenu* newMenu(const QString& name, const QString& accessibleName);

    Document& m_document;
    QuestionBars& m_questions;
    Pages& m_pages;
    TopBar& m_bar;
    QMainWindow& m_window;
    QAction* m_action;
    Banner m_banner = Banner::none;
    QList<QPointer<QAction>> m_hidden; ///< those that were visible before
};

} // namespace flopsmith::ui
