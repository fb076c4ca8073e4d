#pragma once

#include <string>

namespace lgn::studies {

/// A line of Markdown as HTML: `code`, **bold**, *emphasis* and [links](address); all else is text.
///
/// Markup in the line is escaped. An address is one of the web, or within the page or its folder; others
/// stay text.
std::string inline_html(const std::string& markdown);

/// Paragraphs, with a blank line between them, as <p> each.
std::string paragraphs_html(const std::string& markdown);

/// The line without its signs, where only text can stand.
std::string plain_text(const std::string& markdown);

}  // namespace lgn::studies
