// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/budget/hardware.h"
#include "core/count/lens.h"
#include "core/formula/formula.h"
#include "core/io/table/table.h"
#include "core/model/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace flopsmith {

struct ReportHeading
{
    std::string text{};
};

struct ReportText
{
    std::string text{};
    bool isSmall = false; ///< provenance and other remarks
};

/// A figure by its content, without a pixel: the writer draws it.
struct ReportFigure
{
    std::string name{}; ///< of its file: "share"; letters, digits and hyphens, unique in the report
    std::string chart{}; ///< a kind of `flopsmith chart`: "share"
    std::string caption{};
    Scenario scenario{};
    std::vector<Scenario> others{}; ///< compared designs, for charts of several designs
    LensId lens = LensId::exact;
    std::optional<PairsRule> pairs{}; ///< empty: the lens's own
    std::optional<Hardware> hardware{}; ///< of a chart that needs a device
};

/// Figures side by side.
struct ReportFigures
{
    std::vector<ReportFigure> figures{};
};

/// A formula, the same with its numbers put in, and its value.
struct ReportFormula
{
    std::string of{}; ///< "Blocks 1 – 12, each"
    std::string letters{}; ///< as core/formula writes it: "24*d^2*B*S"
    std::string latex{}; ///< of the letters
    std::string numbers{}; ///< "24*768^2*1*1024"
    std::string value{}; ///< "14 495 514 624 FLOPs"
    bool isRounded = false; ///< the numbers yield the value only up to rounding
    std::vector<FormulaSymbol> symbols{}; ///< listed below the formula
};

/// Possible answers of a question, lettered A, B, …
struct ReportOptions
{
    std::vector<std::string> texts{};
};

/// A box to write an answer into.
struct ReportAnswerBox
{
    int lines = 3;
    std::string unit{}; ///< of a number; may be empty
    std::string text{}; ///< its content; empty: an empty box
};

/// A design as its share code; where there are pictures, also as the QR code of its link.
struct ReportShareCode
{
    std::string code{}; ///< "FS1.…", whose link is at most kLongestQrText long
    std::string hint{}; ///< how it is opened
};

struct ReportPageBreak
{};

using ReportBlock = std::variant<ReportHeading,
                                 ReportText,
                                 Table,
                                 ReportFigures,
                                 ReportFormula,
                                 ReportOptions,
                                 ReportAnswerBox,
                                 ReportShareCode,
                                 ReportPageBreak>;

/// A document for paper: its content in order. Every text is plain; the writers escape it.
struct Report
{
    std::string title{};
    std::string subtitle{};
    std::string footer{}; ///< of every page
    std::string language = "en";
    int pages = 0; ///< maximum number, with smaller type if necessary; 0: no limit
    std::vector<ReportBlock> blocks{};
};

/// A stranger's text as a report shows it: on one line and not long.
std::string reportWords(std::string_view text);

/// All figures of the report in order.
std::vector<const ReportFigure*> figuresOf(const Report& report);

} // namespace flopsmith
