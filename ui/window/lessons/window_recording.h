// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/designs.h"
#include "ui/document/throttle.h"
#include "ui/lessons/editor/recording_stage.h"

#include <optional>
#include <vector>

namespace flopsmith::ui {

class ChartPages;
class StackPages;

/// Records in the window itself. Its design, lens, page and frozen designs are put aside as long as
/// that takes; the steps on the undo stack that come from it are undone at the end.
class WindowRecording : public RecordingStage
{
    Q_OBJECT

public:
    WindowRecording(Document& document,
                    Designs& designs,
                    StackPages& stack,
                    ChartPages& charts,
                    QObject* parent);
    ~WindowRecording() override;

    void begin() override;
    void end() override;
    bool isOn() const override { return m_own.has_value(); }
    void show(const LessonView& view) override;
    LessonView view() const override;

    /// Ends, if it is on, because the window's own design is needed.
    void giveBack();

    /// Reports a change now instead of with the next frame.
    void flush() { m_changed.flush(); }

private:
    /// What the window showed before.
    struct Own
    {
        DocumentState state;
        LensId lens = LensId::exact;
        QString page;
        double zoom = 1.0;
        bool inside = false;
        std::vector<FrozenDesign> designs;
        int steps = 0; ///< of the undo stack
    };

    void connectWindow();
    void takePageOfTab();
    void takePageOfFocus(const QWidget* focus);
    void setPage(const std::string& page);
    void touched();
    void report();
    void showDesign(const LessonView& view);
    void showPage(const LessonView& view);
    void bringBackDesign(const Own& own);
    std::string zoom() const;

    Document& m_document;
    Designs& m_designs;
    StackPages& m_stack;
    ChartPages& m_charts;
    std::optional<Own> m_own; ///< while it is on
    std::string m_page = "share";
    std::vector<Scenario> m_older; ///< frozen designs that the window has no place for
    bool m_showing = false;
    LessonView m_reported; ///< or shown: what nobody has changed since
    double m_stackZoom = 1.0; ///< at which the stack shows m_reported
    Throttle m_changed;
};

} // namespace flopsmith::ui
