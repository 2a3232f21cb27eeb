// SPDX-License-Identifier: MIT
#include "core/teach/format/lesson_reading.h"

namespace flopsmith {
namespace {

// In two parts around the id.
constexpr std::string_view kBeforeId = R"json({
  "comment": "A lesson of Flopsmith. Keys called comment are ignored. flopsmith lesson check FILE says whether all answers are right, flopsmith lesson run FILE --headless prints what is shown.",
  "flopsmith_lesson": 1,
  "id": ")json";

constexpr std::string_view kAfterId = R"json(",
  "minutes": 5,
  "texts": {
    "comment": "Every text by its key, in as many languages as you like. {expression} inserts a value, {expression:si} in another format: exact, si, percent, bytes, ratio, duration, or 1 to 12 significant digits. A brace as it is stands twice.",
    "en": {
      "title": "Where do the FLOPs go?",
      "summary": "One forward pass of GPT-2, part by part.",
      "hello": "GPT-2 small reads {value('seq')} tokens: {total():si}FLOPs for one forward pass.",
      "notes": "Let people guess aloud first.",
      "most": "Which part takes most of them?",
      "attention": "attention",
      "ffn": "the feed-forward networks",
      "head": "the output head",
      "most_why": "The feed-forward networks take {share('ffn'):percent}, all of attention {share('attention'):percent}.",
      "double": "How many FLOPs are it for twice as many tokens?",
      "double_why": "More than twice as many: the scores grow with the square.",
      "own": "Build a model with at most a third of these FLOPs."
    }
  },
  "start": {
    "comment": "What is shown first: a preset, parameters as --set has them, a lens, a page, a part to select. Each step changes some of it.",
    "model": "gpt2", "set": { "sequence": "1024" }, "lens": "matmul", "page": "stack"
  },
  "steps": [
    { "comment": "A step either says something or asks.",
      "say": "hello", "notes": "notes" },
    { "comment": "A choice: the answer is the number of an option. The golden is its exact text, which check compares. reveal is shown after the answer. While a question is open, the stack and the head say no costs; what another page says is yours to choose.",
      "ask": { "kind": "choice", "text": "most", "options": ["attention", "ffn", "head"],
        "answer": { "expression": "argmax(flops('attention'), flops('ffn'), flops('head'))", "golden": "2" } },
      "reveal": { "page": "share", "select": "blocks/ffn" }, "why": "most_why" },
    { "comment": "A number on a logarithmic scale, right within a factor. Other kinds are order (options, an expression with order()), sketch (x and curves) and build (an example).",
      "ask": { "kind": "number", "text": "double", "unit": "FLOPs", "from": 1e9, "to": 1e15, "factor": 1.5,
        "answer": { "expression": "with('seq=2048', total())", "golden": "660606025728" } },
      "reveal": { "set": { "sequence": "2048" } }, "why": "double_why" },
    { "comment": "A design for which the expression is true; the example proves that there is one.",
      "ask": { "kind": "build", "text": "own",
        "answer": { "expression": "total() <= 97216102400", "golden": "true" },
        "example": { "set": { "layers": "1" } } } }
  ]
}
)json";

} // namespace

std::string newLessonText(const std::string& id)
{
    return std::string(kBeforeId) + id + std::string(kAfterId);
}

} // namespace flopsmith
