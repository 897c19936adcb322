// Writes a line of plain text as a Markdown paragraph.
import { escapeLineStart, pushText } from '../markdown/escape.ts';

const IN_PARAGRAPH = { before: -1, inLink: false, inStrike: false, inCell: false, inHeading: false };

/** `text` with its literals escaped, white space folded; without a line break at the end. */
export function escapeParagraph(text: string): string {
  const line = text.trim();
  const start = escapeLineStart(line, 0, line.length);
  const parts = start ? [start.written] : [];
  pushText(parts, line, start?.next ?? 0, line.length, IN_PARAGRAPH);
  return parts.join('');
}
