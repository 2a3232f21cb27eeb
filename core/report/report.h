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

/// A figure by what it shows, without a pixel: whoever can draw makes it of this.
struct ReportFigure
{
    std::string name{}; ///< of its file: "share"; letters, digits and hyphens, unique in the report
    std::string chart{}; ///< a kind of `flopsmith chart`: "share"
    std::string caption{};
    Scenario scenario{};
    std::vector<Scenario> others{}; ///< beside it, in charts that can draw several designs
    LensId lens = LensId::exact;
    std::optional<PairsRule> pairs{}; ///< none: the lens's own
    std::optional<Hardware> hardware{}; ///< of a chart that needs a device
};

/// Figures beside each other.
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
    bool isRounded = false; ///< the numbers give the value but for its rounding
    std::vector<FormulaSymbol> symbols{}; ///< that stand below the formula
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
    std::string text{}; ///< that stands in it already; empty: nothing does
};

/// A design as its share code; where there are pictures, also as the QR code of its link.
struct ReportShareCode
{
    std::string code{}; ///< "FS1.…", whose link is no longer than kLongestQrText
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

/// A document for paper: what it says, in order. Every text is plain; the writers escape it.
struct Report
{
    std::string title{};
    std::string subtitle{};
    std::string footer{}; ///< of every page
    std::string language = "en";
    int pages = 0; ///< that it should fill at most, with smaller type if need be; 0: any number
    std::vector<ReportBlock> blocks{};
};

/// A stranger's text as a report shows it: on one line and not long.
std::string reportWords(std::string_view text);

/// All figures of the report in order.
std::vector<const ReportFigure*> figuresOf(const Report& report);

} // namespace flopsmith
