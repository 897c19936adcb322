// Opens and closes inline formats where Markdown can express them, and moves blanks and punctuation out of the way where it can't.
import { classOf, lastCodePoint, mayBeWord } from './characters.ts';
import { escapeLineStart } from './escape.ts';
import { EDGE } from './output.ts';
import type { Output } from './output.ts';

/** Formats that are written as marks and bound to the flanking rules. */
export type Emphasis = 'strong' | 'em' | 'strike';
/** Every inline format; superscript and subscript are written as tags, which GFM lets through. */
export type FormatKind = Emphasis | 'link' | 'sup' | 'sub';

/**
 * An inline format. It is written when content comes, so an empty one never is, and blanks at its borders fall outside.
 * `waiting`: not before `wakeLinks`; `done`: over, or given up because Markdown can't express it at this place.
 */
export interface Format {
  readonly kind: FormatKind;
  readonly opener: string;
  readonly closer: string;
  state: 'waiting' | 'pending' | 'open' | 'done';
  /** Only text opens it: a link round blocks goes to the first words, not to a picture above them. */
  readonly textOnly: boolean;
  /** Where the opener stands in the output, to take it back. */
  part: number;
}

const MARKS: Readonly<Record<Emphasis, string>> = { strong: '**', em: '*', strike: '~~' };

const EMPHASIS_MARKS: ReadonlySet<string> = new Set(Object.values(MARKS));

/** How far punctuation and blanks are moved out of an emphasis that could not end at them. */
const MOVED_CHARS_MAX = 8;

/** The inline formats of the open line, the outermost first. */
export class InlineFormats {
  /** How many formats wait for content. */
  pending = 0;
  private readonly output: Output;
  private readonly stack: Format[] = [];
  /** Emphasis that ended, its mark held back: the same emphasis may go on at once. */
  private closing: Format[] = [];
  /** Where the last closing mark stands. */
  private closerPart = -1;

  constructor(output: Output) {
    this.output = output;
  }

  get isClosing(): boolean {
    return this.closing.length > 0;
  }

  get hasOpenLink(): boolean {
    return this.stack.some((format) => format.kind === 'link' && format.state === 'open');
  }

  /** True while the kind of format is open or waits for content. */
  isInside(kind: FormatKind): boolean {
    for (const format of this.stack) if (format.kind === kind) return true;
    return false;
  }

  /**
   * Begins an emphasis, superscript or subscript; undefined, and nothing to close, inside one of the same kind.
   * `isAdjacent`: no blank or break waits to be written, so an emphasis that just ended goes on.
   */
  open(kind: Exclude<FormatKind, 'link'>, isAdjacent: boolean): Format | undefined {
    if (this.isInside(kind)) return undefined;
    const last = this.closing.at(-1);
    if (last?.kind === kind && isAdjacent) {
      this.closing.pop();
      this.flushClosing(last.opener.charCodeAt(0));
      this.stack.push(last);
      return last;
    }
    const isTag = kind === 'sup' || kind === 'sub';
    const opener = isTag ? `<${kind}>` : MARKS[kind];
    return this.begin({ kind, opener, closer: isTag ? `</${kind}>` : opener, state: 'pending', textOnly: false, part: -1 });
  }

  /** Begins a link; `waits`: not before the next heading (`wakeLinks`), `textOnly`: not with a picture. */
  openLink(address: string, waits: boolean, textOnly: boolean): Format {
    return this.begin({ kind: 'link', opener: '[', closer: `](${address})`, state: waits ? 'waiting' : 'pending', textOnly, part: -1 });
  }

  private begin(format: Format): Format {
    this.stack.push(format);
    if (format.state === 'pending') this.pending++;
    return format;
  }

  /** Lets links that wait for a heading begin with the next content. */
  wakeLinks(): void {
    for (const format of this.stack) if (format.state === 'waiting') this.suspend(format);
  }

  /** Ends the innermost format, which `open` or `openLink` gave. */
  close(format: Format | undefined): void {
    if (!format) return;
    this.stack.pop();
    if (format.state === 'pending') this.pending--;
    if (format.state === 'open') this.writeCloser(format);
  }

  private suspend(format: Format): void {
    format.state = 'pending';
    this.pending++;
  }

  /** Closes every open format at the end of a line; emphasis comes back with the next content, a link does not. */
  suspendAll(): void {
    this.flushClosing(EDGE);
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const format = this.stack[i] as Format;
      if (format.state !== 'open') continue;
      this.writeCloser(format);
      if (format.kind === 'link') format.state = 'done';
      else this.suspend(format);
    }
    this.flushClosing(EDGE);
  }

  private writeCloser(format: Format): void {
    if (format.kind in MARKS) {
      this.closing.push({ ...format });
      return;
    }
    this.flushClosing(0x5d);
    this.output.write(format.closer);
  }

  /** Opens what waits for content; `next` is the first character of that content. */
  openPending(next: number, isText: boolean): void {
    this.stack.forEach((format, i) => {
      if (format.state !== 'pending' || (format.textOnly && !isText)) return;
      this.pending--;
      if (format.kind in MARKS && !this.canOpen(format, this.followers(i, next))) {
        format.state = 'done';
        return;
      }
      if (format.kind === 'link') this.escapeExclamation();
      format.state = 'open';
      format.part = this.output.parts.length;
      this.output.write(format.opener);
    });
  }

  /**
   * The characters that can come to stand behind the mark of the format at `index` (-1: behind marks of emphasis that ends):
   * the next other mark, and what follows once emphasis between is taken back.
   */
  private followers(index: number, content: number): readonly [number, number] {
    const mark = this.stack[index]?.opener.charCodeAt(0) ?? 0x2a;
    let nearest: number | undefined;
    for (let i = index + 1; i < this.stack.length; i++) {
      const format = this.stack[i] as Format;
      if (format.state !== 'pending') continue;
      const code = format.opener.charCodeAt(0);
      if (code !== mark) nearest ??= code;
      if (!(format.kind in MARKS)) return [nearest ?? code, code];
    }
    return [nearest ?? content, content];
  }

  /** CommonMark's left-flanking rule (section 6.2), also without the marks beside; one right behind a closing mark would join its run. */
  private canOpen(format: Format, followers: readonly [number, number]): boolean {
    const lastCode = this.output.lastCode();
    if (this.closerPart === this.output.parts.length - 1 && lastCode === format.opener.charCodeAt(0)) return false;
    const afterWord = mayBeWord(lastCode) || mayBeWord(this.solidCode());
    return followers.every((next) => classOf(next) === 'word' || (classOf(next) !== 'blank' && !afterWord));
  }

  /** The last character of the line that is not a mark which can still be taken back. */
  private solidCode(): number {
    const { parts, linePart, fresh } = this.output;
    for (let i = parts.length - 1; i >= linePart && !fresh; i--) {
      const part = parts[i] as string;
      if (i === this.closerPart || (part !== '' && !EMPHASIS_MARKS.has(part))) return lastCodePoint(part);
    }
    return EDGE;
  }

  /** `!` before a link would make it an image. */
  private escapeExclamation(): void {
    const { parts, textPart } = this.output;
    const last = parts[parts.length - 1];
    if (last?.endsWith('!') && textPart === parts.length - 1) parts[textPart] = `${last.slice(0, -1)}\\!`;
  }

  /** Where in `text` the emphasis that waits can begin: behind blanks, and behind punctuation that follows a word; `end` for never. */
  beginningIn(text: string, start: number, end: number): number {
    if (this.stack.some((format) => format.state === 'pending' && !(format.kind in MARKS))) return start;
    let before = this.output.lastCode();
    let at = start;
    while (at < end) {
      const code = text.codePointAt(at) ?? EDGE;
      const kind = classOf(code);
      if (kind === 'word' || (kind !== 'blank' && !mayBeWord(before))) return at;
      if (at - start >= MOVED_CHARS_MAX) return start;
      before = code;
      at += code > 0xffff ? 2 : 1;
    }
    return classOf(before) === 'blank' ? end : start;
  }

  /** Writes the marks that were held back; `content` is what follows them. */
  flushClosing(content: number): void {
    if (this.closing.length === 0) return;
    const [near, far] = content === EDGE || this.pending === 0 ? [content, content] : this.followers(-1, content);
    const next = mayBeWord(near) ? near : far;
    const closing = this.closing;
    this.closing = [];
    const { output } = this;
    const moved = this.takePunctuation(next);
    let before = lastCodePoint(output.lastPart());
    for (const format of closing) {
      if (!canClose(before, next)) {
        this.takeBack(format);
        continue;
      }
      output.write(format.closer);
      this.closerPart = output.parts.length - 1;
      if (format.kind === 'strike') before = 0x7e;
    }
    if (moved === '') return;
    output.write(moved);
    output.textPart = output.parts.length - 1;
  }

  /** Removes an opener; the text behind it may now begin the line. */
  private takeBack(format: Format): void {
    const { parts, linePart } = this.output;
    parts[format.part] = '';
    const next = format.part + 1;
    for (let i = linePart; i < next; i++) if (parts[i] !== '') return;
    const text = parts[next] ?? '';
    if (EMPHASIS_MARKS.has(text) || text === '[') return;
    const escaped = escapeLineStart(text, 0, text.length);
    if (escaped) parts[next] = escaped.written + text.slice(escaped.next);
  }

  /** Takes from the last text the punctuation that would keep an emphasis from ending before a word. */
  private takePunctuation(next: number): string {
    const { parts, textPart } = this.output;
    const last = this.output.lastPart();
    if (textPart !== parts.length - 1 || canClose(lastCodePoint(last), next)) return '';
    let keep = last.length;
    while (keep > 0 && last.length - keep < MOVED_CHARS_MAX && classOf(last.charCodeAt(keep - 1)) !== 'word') keep--;
    if (keep === 0 || classOf(lastCodePoint(last.slice(0, keep))) !== 'word') return '';
    parts[textPart] = last.slice(0, keep);
    return last.slice(keep);
  }
}

/** CommonMark's right-flanking rule (section 6.2). */
function canClose(before: number, next: number): boolean {
  const kind = classOf(before);
  return kind === 'word' || (kind !== 'blank' && !mayBeWord(next));
}
