// SPDX-License-Identifier: MIT
#include "core/base/printable.h"
#include "core/io/hugging_face/config/config_reader.h"
#include "core/json/json_text.h"
#include "core/json/similar_keys.h"

#include <algorithm>

// The reader's report on a file after reading: missing, doubtful and unknown keys.
namespace flopsmith {

void ConfigReader::assumed(const std::string& key, const std::string& value)
{
    missing({key, value});
}

// A family may read a size twice.
void ConfigReader::missing(MissingSize size)
{
    const bool known = std::any_of(m_missing.begin(), m_missing.end(), [&size](const auto& each) {
        return each.key == size.key;
    });
    if (!known) {
        m_missing.push_back(std::move(size));
    }
}

Status ConfigReader::status() const
{
    return m_error ? Status(*m_error) : Status(Done{});
}

// Names of sizes are short; texts in the place of keys are not worth a comparison.
std::vector<ConfigReader::UnreadNumber> ConfigReader::unreadNumbers() const
{
    constexpr std::size_t kLongestName = 64;
    std::vector<UnreadNumber> numbers;
    for (const auto& item : m_json.items()) {
        const bool isNumber = item.value().is_number_integer();
        if (isNumber && item.key().size() <= kLongestName && isUnread(item.key())) {
            numbers.push_back({item.key(), jsonText(item.value())});
        }
    }
    return numbers;
}

Status ConfigReader::undoubted() const
{
    const std::vector<UnreadNumber> numbers = unreadNumbers();
    for (const MissingSize& size : m_missing) {
        const Likeness likeness = size.derived ? Likeness::meaning : Likeness::subject;
        for (const UnreadNumber& number : numbers) {
            if (number.value != size.value && mayMean(number.key, size.key, likeness)) {
                return Error{size.key + ": missing, while " + number.key + ": " + number.value
                             + ", which may mean it, is not understood; call it " + size.key
                             + " if it does; the commands go on with " + size.value
                             + " by --assume"};
            }
        }
    }
    return Done{};
}

bool ConfigReader::isUnread(const std::string& key) const
{
    return m_read.count(key) == 0 && !isHarmlessKey(key);
}

std::string ConfigReader::unreadKeys() const
{
    constexpr std::size_t kMaxShown = 20;
    constexpr std::size_t kLongestShown = 40;
    std::string list;
    std::size_t unread = 0;
    for (const auto& item : m_json.items()) {
        if (isUnread(item.key()) && ++unread <= kMaxShown) {
            list += (list.empty() ? "" : ", ") + elided(printable(item.key()), kLongestShown);
        }
    }
    return unread > kMaxShown ? list + " and " + std::to_string(unread - kMaxShown) + " more"
                              : list;
}

std::string ConfigReader::assumedSizes() const
{
    std::string list;
    for (const MissingSize& size : m_missing) {
        if (!size.derived) {
            list += (list.empty() ? "" : ", ") + size.key + " = " + size.value;
        }
    }
    return list;
}

std::vector<std::string> ConfigReader::notes() const
{
    std::vector<std::string> all = m_notes;
    if (const std::string sizes = assumedSizes(); !sizes.empty()) {
        all.push_back("missing, and assumed as the library's class does: " + sizes);
    }
    const std::string unread = unreadKeys();
    if (!unread.empty()) {
        all.push_back("not understood, and left out of the count: " + unread);
    }
    return all;
}

} // namespace flopsmith
