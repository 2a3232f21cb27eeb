// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/options.h"
#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/share/qr_code.h"
#include "core/share/share_code.h"
#include "core/share/shared_page.h"
#include "ui/widgets/qr_picture.h"

namespace flopsmith::app {
namespace {

constexpr int kModulePixels = 8; // of a QR code as PNG

struct ShareOptions
{
    ModelOptions model;
    std::string lens;
    std::string page;
    bool link = false;
    std::string picture;
};

// The model with its options applied, and the other contents of its file.
Result<Project> sharedProject(const ShareOptions& options, std::vector<std::string>& notes)
{
    FLOPSMITH_TRY(const Asked asked, options.model.asked());
    notes = asked.notes;
    Project project = asked.project(notes);
    project.lens = lensNamed(options.lens).value_or(asked.lens);
    return project;
}

bool endsWith(const std::string& text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Writes the picture into its file, or returns it if it goes to standard output.
Result<std::string> writtenPicture(const std::string& link, const std::string& target)
{
    const bool isSvg = endsWith(target, ".svg");
    if (!isStandardOutput(target) && !isSvg && !endsWith(target, ".png")) {
        return Error{excerpt(target)
                     + ": a QR code is written as .svg or .png, or to standard output, which is -"};
    }
    FLOPSMITH_TRY(const QrCode code, QrCode::create(link));
    if (isStandardOutput(target)) {
        return qrText(code);
    }
    const Status written =
        writeFile(target, isSvg ? qrSvg(code) : ui::qrPng(code, kModulePixels).toStdString());
    return written ? Result<std::string>(std::string()) : written.error();
}

Outcome shared(const ShareOptions& options)
{
    Outcome outcome;
    const Result<Project> project = sharedProject(options, outcome.notes);
    if (!project) {
        return Outcome::badInput(project.error());
    }
    const Result<std::string> code = shareCode(*project, options.page);
    if (!code) {
        return Outcome::badInput(code.error());
    }
    if (!options.picture.empty()) {
        const Result<std::string> picture = writtenPicture(shareLink(*code), options.picture);
        if (!picture) {
            return Outcome::badInput(picture.error());
        }
        outcome.text = *picture;
    }
    outcome.text += (options.link ? shareLink(*code) : *code) + "\n";
    return outcome;
}

std::vector<std::string> pageNames()
{
    std::vector<std::string> names;
    for (const SharedPage& each : sharedPages()) {
        names.emplace_back(each.id);
    }
    return names;
}

} // namespace

void addShare(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<ShareOptions>();
    const ArgumentParser command = program.addCommand(
        "share", "A design as a short code that every command, a mail and a slide can hold");
    options->model.addTo(command);
    addLensOption(command, "--lens", options->lens, "The lens that the window opens it with");
    command.addOption("--page", options->page, "The page that the window opens it with")
        .oneOf(pageNames())
        .typeName("NAME");
    command.addFlag("--link", options->link, "Print a link that the desktop opens with Flopsmith");
    command
        .addOption("--qr",
                   options->picture,
                   "The link as a QR code too: .svg or .png, or - for the terminal")
        .typeName("FILE");
    command.callback([options, &chosen] { chosen = [options] { return shared(*options); }; });
    command.footer("Example: flopsmith share gpt2 --set d_model=1024 --set heads=16\n"
                   "What it prints is a MODEL: flopsmith cost FS1.\xE2\x80\xA6");
}

} // namespace flopsmith::app
