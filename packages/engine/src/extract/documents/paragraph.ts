// Writes a line of plain text as Markdown.
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

/** `text` as the words of a link. */
export function escapeLinkText(text: string): string {
  const parts: string[] = [];
  pushText(parts, text, 0, text.length, { ...IN_PARAGRAPH, inLink: true });
  return parts.join('');
}
