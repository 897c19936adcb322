// Writes Markdown line by line: container prefixes, gaps between blocks, pending blanks and breaks.
import { isHtmlBlank, isInvisible } from './characters.ts';
import { escapeLineStart, isNumberMark, pushText } from './escape.ts';
import { InlineFormats } from './formats.ts';
import type { TextPlace } from './escape.ts';
import type { Format, FormatKind } from './formats.ts';
import { EDGE, Output } from './output.ts';

/** A list that is being written; `loose` once a blank line stood inside one of its items. */
export interface ListState {
  loose: boolean;
}

/** Where line breaks can't be: a heading turns them into blanks, a table cell into `<br>`. */
export type Flatness = 'none' | 'heading' | 'cell';

/** Adjacent spans of inline code are joined up to this length. */
const JOINED_CODE_MAX = 1000;

/** Containers that nest deeper are written without a prefix of their own, so that output stays proportional to the page. */
const PREFIX_MAX = 80;

/** Takes content in document order and gives Markdown; callers say where blocks, containers and formats begin and end. */
export class MarkdownWriter {
  /** The list whose item is being written. */
  list: ListState | undefined;
  private readonly output = new Output();
  private readonly parts = this.output.parts;
  private readonly formats = new InlineFormats(this.output);
  private prefix = '';
  /** The prefix of the first line of a container that nothing was written into yet. */
  private firstPrefix: string | undefined;
  private lineOpen = false;
  private gap: 0 | 1 | 2 = 0;
  private gapPrefix = '';
  private space = false;
  private breaks = 0;
  private flat: Flatness = 'none';
  private readonly place = placeOf(this);
  private code: { part: number; text: string } | undefined;
  /** Where the last thematic break stands among the parts. */
  private rule: { readonly begin: number; readonly end: number } | undefined;

  /** The whole output, ended by a line break unless it is empty. */
  finish(): string {
    this.boundary(1);
    if (this.parts.length === this.rule?.end) this.parts.length = this.rule.begin;
    return this.parts.length === 0 ? '' : `${this.parts.join('')}\n`;
  }

  /** True when nothing was written into the block so far. */
  private get isAtLineStart(): boolean {
    return !this.lineOpen || this.output.fresh;
  }

  /** The last code point written on the open line. */
  get lastCode(): number {
    return this.output.lastCode();
  }

  /** A number that changes with every write; equal numbers mean that nothing was written in between. */
  get mark(): number {
    return this.parts.length;
  }

  get flatness(): Flatness {
    return this.flat;
  }

  /** True when the next write is the first thing in its list item, quote or heading. */
  get atContainerStart(): boolean {
    return this.firstPrefix !== undefined;
  }

  /** True while the kind of format is open or waits for content. */
  isInside(kind: FormatKind): boolean {
    return this.formats.isInside(kind);
  }

  /** Ends the open line; what comes next stands `lines` line breaks below it (2 leaves a blank line). */
  boundary(lines: 1 | 2): void {
    if (this.flat !== 'none') {
      if (this.output.fresh) return;
      if (this.flat === 'heading') this.space = true;
      else this.breaks = 1;
    } else if (this.lineOpen) this.endLine(lines);
    else if (this.firstPrefix === undefined) {
      if (lines > this.gap) this.gap = lines;
      if (this.prefix.length < this.gapPrefix.length) this.gapPrefix = this.prefix;
    }
  }

  /** Sets the gap before the next write, whatever was asked for before. Only between lines. */
  overrideGap(lines: 1 | 2): void {
    if (!this.lineOpen && this.firstPrefix === undefined) this.gap = lines;
  }

  private endLine(lines: 1 | 2): void {
    this.formats.suspendAll();
    this.lineOpen = false;
    this.gap = lines;
    this.gapPrefix = this.prefix;
  }

  private openLine(): void {
    const prefix = this.firstPrefix ?? this.prefix;
    if (this.parts.length > 0) {
      const isBlank = this.gap === 2;
      if (isBlank && this.list && this.firstPrefix === undefined) this.list.loose = true;
      const gap = isBlank ? (this.gapPrefix === '' ? '\n\n' : `\n${this.gapPrefix.trimEnd()}\n`) : '\n';
      this.parts.push(prefix === '' ? gap : gap + prefix);
    } else if (prefix !== '') this.parts.push(prefix);
    this.firstPrefix = undefined;
    this.lineOpen = true;
    this.gap = 0;
    this.startLine();
  }

  private startLine(): void {
    this.output.fresh = true;
    this.space = false;
    this.breaks = 0;
    this.output.linePart = this.parts.length;
  }

  /**
   * Writes `body` inside a container: `first` begins its first line, `rest` every further line.
   * Nothing is left behind when `body` writes nothing, unless `keepsEmpty`.
   */
  container(first: string, rest: string, body: () => void, keepsEmpty = false): void {
    if (this.flat !== 'none' || (rest !== '' && this.prefix.length > PREFIX_MAX)) {
      this.boundary(1);
      body();
      this.boundary(1);
      return;
    }
    const { prefix, firstPrefix } = this;
    const before = this.parts.length;
    this.firstPrefix = (firstPrefix ?? prefix) + first;
    this.prefix = prefix + rest;
    body();
    if (keepsEmpty && this.parts.length === before) {
      this.firstPrefix = this.firstPrefix.trimEnd();
      this.openLine();
    }
    this.boundary(1);
    this.prefix = prefix;
    this.firstPrefix = this.parts.length === before ? firstPrefix : undefined;
  }

  /** Writes `body` on one line that begins with `marker`. */
  heading(marker: string, body: () => void): void {
    const saved = this.flat;
    this.container(marker, '', () => {
      if (saved === 'none') this.flat = 'heading';
      body();
      this.flat = saved;
    });
  }

  /** Writes `body` as the content of a table cell and hands it back instead of adding it to the output. */
  capture(body: () => void): string {
    const { flat, lineOpen, gap } = this;
    const { linePart } = this.output;
    const from = this.parts.length;
    this.flat = 'cell';
    this.lineOpen = true;
    this.startLine();
    body();
    this.formats.suspendAll();
    const text = this.parts.slice(from).join('');
    this.parts.length = from;
    this.code = undefined;
    this.output.textPart = -1;
    this.output.linePart = linePart;
    Object.assign(this, { flat, lineOpen, gap, space: false, breaks: 0 });
    return text;
  }

  /** Text of the page: white space is folded, literals are escaped. */
  text(data: string): void {
    let start = 0;
    let end = data.length;
    while (start < end && isHtmlBlank(data.charCodeAt(start))) start++;
    if (start > 0) this.space = true;
    if (start === end) return;
    while (isHtmlBlank(data.charCodeAt(end - 1))) end--;
    if (this.isAtLineStart && isInvisible(data, start, end)) return;
    this.beginContent(data.codePointAt(start) ?? EDGE, true);
    if (this.formats.pending > 0) start = this.openFormatsIn(data, start, end);
    if (this.flat === 'none' && start < end) start = this.guardLineStart(data, start, end);
    if (start < end) this.writeText(data, start, end);
    this.output.fresh = false;
    this.space = end < data.length;
  }

  private openFormatsIn(data: string, start: number, end: number): number {
    const beginning = this.formats.beginningIn(data, start, end);
    if (beginning > start) {
      this.writeText(data, start, beginning);
      this.output.fresh = false;
    }
    if (beginning < end) this.formats.openPending(data.codePointAt(beginning) ?? EDGE, true);
    return beginning;
  }

  private writeText(data: string, start: number, end: number): void {
    pushText(this.parts, data, start, end, this.place);
    this.output.textPart = this.parts.length - 1;
  }

  /** Escapes what would open a block here; where the rest of the text begins. */
  private guardLineStart(data: string, start: number, end: number): number {
    if (!this.output.fresh) {
      if (this.completesNumber(data, start, end)) this.parts.push('\\');
      return start;
    }
    const escaped = escapeLineStart(data, start, end);
    if (!escaped) return start;
    this.output.write(escaped.written);
    return escaped.next;
  }

  /** True when a number begins the line in earlier text and this text would make it a list marker. */
  private completesNumber(data: string, start: number, end: number): boolean {
    if (this.parts.length - this.output.linePart > 9 || !isNumberMark(data, start, end)) return false;
    return /^\d{1,9}$/.test(this.parts.slice(this.output.linePart).join(''));
  }

  /** Inline Markdown that is ready as it stands: an image, a literal. */
  inline(markdown: string): void {
    this.beginContent(markdown.codePointAt(0) ?? EDGE, false);
    this.output.write(markdown);
  }

  /** Inline code; `fence` puts its text between backticks. Code that follows code without a gap goes on in the same span. */
  inlineCode(text: string, fence: (text: string) => string): void {
    const last = this.code?.part === this.parts.length - 1 && this.lineOpen && !this.space && this.breaks === 0 ? this.code : undefined;
    if (last && last.text.length < JOINED_CODE_MAX && !this.formats.isClosing && this.formats.pending === 0) {
      last.text += text;
      this.parts[last.part] = fence(last.text);
      return;
    }
    if (last) this.space = true;
    this.inline(fence(text));
    this.code = { part: this.parts.length - 1, text };
  }

  /** A line break inside the text; two or more are a new paragraph. */
  lineBreak(): void {
    if (!this.lineOpen || this.output.fresh) return;
    if (this.flat === 'heading') this.space = true;
    else this.breaks++;
  }

  /**
   * A thematic break, in a form that is not read as an underline or an item where it stands. Between two blocks only: with nothing before it
   * a file would begin as one with front matter does, and with nothing behind it, it parts the text from what was left out.
   */
  thematicBreak(): void {
    this.boundary(2);
    if (this.flat !== 'none') return;
    const isInContainer = this.prefix !== '' || this.firstPrefix !== undefined;
    const begin = this.parts.length;
    if (!isInContainer && (begin === 0 || begin === this.rule?.end)) return;
    this.block([this.firstPrefix === undefined ? '---' : '___']);
    if (!isInContainer) this.rule = { begin, end: this.parts.length };
  }

  /** Lines that are ready as they stand (a table, a fence, a rule), as a block of their own. */
  block(lines: readonly string[]): void {
    this.boundary(2);
    this.openLine();
    this.parts.push(lines[0] ?? '');
    const blank = `\n${this.prefix.trimEnd()}`;
    const filled = `\n${this.prefix}`;
    for (let i = 1; i < lines.length; i++) this.parts.push(lines[i] === '' ? blank : filled + lines[i]);
    this.endLine(2);
  }

  /** Asks for a blank before what comes next on this line. */
  blank(): void {
    this.space = true;
  }

  /** Writes a bar between what stands on this line and what comes next, as the text of a cell. */
  divide(): void {
    this.space = true;
    this.inline('\\|');
    this.space = true;
  }

  /** Begins an emphasis, superscript or subscript, to be given to `close`. */
  open(kind: Exclude<FormatKind, 'link'>): Format | undefined {
    return this.formats.open(kind, !this.space && this.breaks === 0);
  }

  /** Begins a link; `waits`: not before the next heading (`wakeLinks`), `textOnly`: not with a picture. */
  openLink(address: string, waits: boolean, textOnly: boolean): Format {
    return this.formats.openLink(address, waits, textOnly);
  }

  /** Lets links that wait for a heading begin with the next content. */
  wakeLinks(): void {
    this.formats.wakeLinks();
  }

  /** Ends the innermost format. */
  close(format: Format | undefined): void {
    this.formats.close(format);
  }

  /** Everything that must stand before content whose first character is `next`; text opens its formats itself. */
  private beginContent(next: number, isText: boolean): void {
    if (!this.lineOpen) this.openLine();
    else if (this.breaks > 0) this.writeBreak();
    if (this.formats.isClosing) this.formats.flushClosing(this.space ? EDGE : next);
    if (this.space) {
      this.space = false;
      if (!this.output.fresh) this.parts.push(' ');
    }
    if (!isText && this.formats.pending > 0) this.formats.openPending(next, false);
  }

  private writeBreak(): void {
    if (this.flat === 'cell') {
      this.formats.flushClosing(EDGE);
      this.output.write('<br>');
      this.breaks = 0;
      this.space = false;
    } else if (this.breaks > 1 && !this.formats.hasOpenLink) {
      this.endLine(2);
      this.openLine();
    } else {
      this.formats.flushClosing(EDGE);
      this.parts.push(`  \n${this.prefix}`);
      this.startLine();
    }
  }
}

/** What escaping asks about the writer; read only where a literal needs it. */
function placeOf(writer: MarkdownWriter): TextPlace {
  return {
    get before() {
      return writer.lastCode;
    },
    get inLink() {
      return writer.isInside('link');
    },
    get inStrike() {
      return writer.isInside('strike');
    },
    get inCell() {
      return writer.flatness === 'cell';
    },
    get inHeading() {
      return writer.flatness === 'heading';
    },
  };
}
