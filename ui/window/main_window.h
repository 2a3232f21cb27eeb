// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/designs.h"
#include "ui/window/parts/window_parts.h"

#include <QMainWindow>

QT_BEGIN_NAMESPACE
class QScrollArea;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Flopsmith's main window: tool bar, headline, palette, stack and inspector above, pages of charts below, a
/// status line at the bottom. It makes the parts, gives each those that it needs, and connects them.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    const WindowParts& parts() const { return m_parts; }

    /// Opens a project, a config.json or a preset; shows a failure in the message bar.
    bool openFile(const QString& path);

    /// The same with a file that is dropped: it is read before unsaved changes are asked about.
    void openDropped(const QString& path);

    /// The parts that F6 cycles through, in tab order.
    QList<QWidget*> focusOrder() const;

    /// Applies all pending updates now.
    void settle();

protected:
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void createBars(QWidget& centre);
    void createFrame();
    void createMeasuring();
    void createHeadline();
    void createLessons();
    void createCommands();
    void createLab();
    void createMenus();
    void connectTheme();
    void connectDocument();
    void restoreSettings();
    void orderFocus();
    void openDroppedText(const QString& text);
    void showError(const QString& sentence);
    void showTitle();

    Document m_document;
    Designs m_designs;
    WindowParts m_parts;
    QScrollArea* m_labArea = nullptr;
};

} // namespace flopsmith::ui
