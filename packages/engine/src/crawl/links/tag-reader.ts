// Walks the tags of a page as bytes, as the HTML tokenizer would, without building anything.
import {
  DASH,
  DOUBLE_QUOTE,
  EQUALS,
  EXCLAMATION,
  GREATER,
  LESS,
  QUESTION,
  SINGLE_QUOTE,
  SLASH,
  SPACE,
  ScriptComments,
  indexOrEnd,
  isBlank,
  isLetter,
  nameEnd,
  nameOf,
  startsWithName,
  tagEnd,
} from './markup-bytes.ts';

/** In `valueFlags`: a byte of the value is beyond letters, digits and the marks that a URL carries as they are. */
const FLAG_UNSAFE = 1;
/** The value has an ampersand that may start a character reference. */
export const FLAG_AMPERSAND = 2;
/** The value has a `#`. */
export const FLAG_HASH = 4;
/** The value has a byte above 127. */
export const FLAG_NON_ASCII = 8;

const BYTE_FLAGS = new Uint8Array(256).fill(FLAG_UNSAFE);
for (const mark of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?=+,;:@!$()*') BYTE_FLAGS[mark.charCodeAt(0)] = 0;
BYTE_FLAGS[38] = FLAG_AMPERSAND;
BYTE_FLAGS[35] = FLAG_HASH;
BYTE_FLAGS.fill(FLAG_UNSAFE | FLAG_NON_ASCII, 128);

/** Elements whose content is text for the tokenizer, whatever it looks like. `noscript` is not: pages are read with scripting off. */
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

const UTF8 = new TextDecoder('utf-8');
/** As much of a link's text as is read. */
const LABEL_BYTES = 64;

/** How the words and arrows for "next" begin, as pairs of bytes: most anchors are told apart without decoding them. */
const PAGING_PAIRS = new Set<number>();
for (const start of [
  'ne',
  'ol',
  'mo',
  'we',
  'n\u00e4',
  'vo',
  'su',
  'si',
  'pr',
  'se',
  'av',
  'na',
  'da',
  'so',
  '&r',
  '&g',
  '\u203a',
  '\u00bb',
  '\u2192',
])
  addPair(start);
for (const start of ['\u0441', '\u0421', '\u0434', '\u0414', '\u4e0b', '\u6b21', '\ub2e4']) addPair(start);
/** How labels begin that sign a visitor out, see act-words, as three bytes each with ASCII in lower case. */
const LABEL_STARTS = new Set<number>();
for (const start of 'log sig abm aus déc dec se  sed cer des ter enc dis uit kir wyl odh kij çık cik Çık вый Вый вий Вий απο Απο ロ サ 退 登 注 註 로 تس הת יצי kel đă Đă dan'.split(
  ' ',
)) {
  const [first = 0, second = 0, third = 32] = new TextEncoder().encode(start);
  LABEL_STARTS.add((lowered(first) << 16) | (lowered(second) << 8) | lowered(third));
}

function lowered(byte: number): number {
  return byte < 128 ? byte | 32 : byte;
}

function addPair(start: string): void {
  for (const text of [start, start.slice(0, 1).toUpperCase() + start.slice(1), start.toUpperCase()]) {
    const [first = 0, second = 0] = new TextEncoder().encode(text);
    PAGING_PAIRS.add((first << 8) | second);
  }
}

/** By first letters and length, whether any element of that make is wanted by a reader or changes how the rest is read. */
const MATTERING = new Uint8Array(32 * 32 * 16);
for (const name of [...RAW_TEXT, 'a', 'area', 'base', 'frame', 'img', 'link', 'meta', 'plaintext', 'template'])
  MATTERING[makeOf(name.charCodeAt(0), name.charCodeAt(1), name.length)] = 1;

/** A number for the first two letters and the length of a name. */
function makeOf(first: number, second: number, length: number): number {
  return ((first & 31) << 9) | (length > 1 ? (second & 31) << 4 : 0) | Math.min(length, 15);
}

/** Bytes of text with one for all blanks and controls; no other has only the bit of a blank. */
const TEXT_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => Math.max(byte, SPACE));

const MIX_LOW = 16777619;
const MIX_HIGH = 0x5bd1e995;
const RUN_START = 0x2545f491;

/** Stands on one tag after another; its fields describe the present one and stay valid until the next call. */
export class TagReader {
  readonly bytes: Uint8Array;
  /** Lower-case name of the present start tag; empty for tags that nobody asked for. */
  name = '';
  /** Where the attribute name and value of the last `nextAttribute` are. */
  nameStart = 0;
  nameEnd = 0;
  valueStart = 0;
  valueEnd = 0;
  valueFlags = 0;
  /** False when the page ended inside the tag that was read last: its last value may be cut. */
  isWhole = true;
  textBytes = 0;
  private hashLow = 0x811c9dc5 | 0;
  private hashHigh = 0x9747b28c | 0;
  /** How many texts stand between tags, and an odd sketch of them: each turns one of 256 bits over. */
  private runs = 0;
  private readonly flips = new Int32Array(8);
  private at = 0;
  private isInTag = false;
  private readonly wanted: ReadonlySet<string>;
  private readonly texts: number[] | undefined;

  /**
   * `wanted` are the lower-case element names to stop at: any of a, area, base, frame, iframe, img, link and meta. `texts` gets a number for
   * each text between two tags.
   */
  constructor(bytes: Uint8Array, wanted: ReadonlySet<string>, texts?: number[]) {
    this.bytes = bytes;
    this.wanted = wanted;
    this.texts = texts;
  }

  /**
   * Moves to the next start tag of a wanted element; false at the end. Comments, raw text and inert templates are passed over.
   * One loop over all bytes: pages have a tag every twenty bytes, and a call for each would cost more than reading it.
   */
  nextTag(): boolean {
    if (this.name !== '') this.finishTag();
    const { bytes, flips } = this;
    const end = bytes.length;
    let { at, textBytes, runs, hashLow, hashHigh } = this;
    for (;;) {
      // A run of blanks counts as one, and as none where a text begins. Asking for the second blank of a run is cheap: it is hardly ever there.
      let last = SPACE;
      let word = 0;
      let count = 0;
      let run = RUN_START;
      for (; at < end; at++) {
        const byte = bytes[at] as number;
        if (byte === LESS) break;
        const c = TEXT_BYTE[byte] as number;
        if ((c | last) === SPACE) continue;
        last = c;
        word = (word << 8) | c;
        if ((++count & 3) !== 0) continue;
        run = Math.imul(run ^ word, MIX_LOW);
        run ^= run >>> 15;
      }
      if (count > 0) {
        // Each text between two tags is hashed by itself, with its last bytes, so that one that changed changes no other.
        run = Math.imul(run ^ word ^ count, MIX_LOW);
        this.texts?.push(run);
        textBytes += count;
        runs++;
        const bit = Math.imul(run ^ (run >>> 15), 0x85ebca6b) >>> 24;
        flips[bit >>> 5] = (flips[bit >>> 5] as number) ^ (1 << (bit & 31));
        hashLow = Math.imul(hashLow ^ run, MIX_LOW);
        hashHigh = (Math.imul(hashHigh ^ word, MIX_HIGH) + run + hashLow) | 0;
      }
      this.textBytes = textBytes;
      this.runs = runs;
      this.hashLow = hashLow;
      this.hashHigh = hashHigh;
      if (at >= end - 1) return false;
      const start = at + 1;
      const c = bytes[start] as number;
      if (!isLetter(c)) {
        at = c === SLASH && isLetter(bytes[start + 1] ?? 0) ? tagEnd(bytes, start + 1) : this.afterMarkup(start);
        continue;
      }
      at = nameEnd(bytes, start);
      if (MATTERING[makeOf(c, bytes[start + 1] as number, at - start)] === 0) at = tagEnd(bytes, at);
      else if (this.openTag(start, at)) return true;
      else ({ at, hashLow, hashHigh } = this);
    }
  }

  /** Reads one attribute of the present tag; false at the tag's end. */
  nextAttribute(): boolean {
    if (!this.isInTag) return false;
    const { bytes } = this;
    let i = this.at;
    while (isBlank(bytes[i]) || bytes[i] === SLASH) i++;
    if (i >= bytes.length || bytes[i] === GREATER) {
      this.at = i + 1;
      this.isInTag = false;
      this.isWhole = i < bytes.length;
      return false;
    }
    this.nameStart = i++;
    while (i < bytes.length && bytes[i] !== EQUALS && bytes[i] !== GREATER && bytes[i] !== SLASH && !isBlank(bytes[i])) i++;
    this.nameEnd = i;
    while (isBlank(bytes[i])) i++;
    if (bytes[i] === EQUALS) {
      i = this.readValue(i + 1);
    } else {
      this.valueStart = this.valueEnd = i;
      this.valueFlags = 0;
    }
    this.at = i;
    return true;
  }

  /** Whether the last attribute's name is `name`, which must be lower case. */
  isNamed(name: string): boolean {
    if (this.nameEnd - this.nameStart !== name.length) return false;
    for (let i = 0; i < name.length; i++) if (((this.bytes[this.nameStart + i] ?? 0) | 32) !== name.charCodeAt(i)) return false;
    return true;
  }

  /** The first letter of the last attribute's name, in lower case. */
  get firstOfName(): number {
    return (this.bytes[this.nameStart] ?? 0) | 32;
  }

  /**
   * The first characters of text behind the present tag, whose attributes must all have been read, and what follows; empty unless a word
   * of paging or of signing out may begin there, or `isAny`.
   */
  peekText(isAny = false): string {
    const { bytes } = this;
    let i = this.at;
    for (let tags = 0; tags < 4; tags++) {
      while (isBlank(bytes[i])) i++;
      if (bytes[i] !== LESS || (bytes[i + 1] === SLASH && startsWithName(bytes, i + 2, 'a'))) break;
      i = tagEnd(bytes, i + 1);
    }
    const first = bytes[i] ?? 0;
    const second = bytes[i + 1] ?? 0;
    const third = bytes[i + 2] ?? 0;
    const isKnown =
      isAny ||
      PAGING_PAIRS.has((first << 8) | second) ||
      LABEL_STARTS.has((lowered(first) << 16) | (lowered(second) << 8) | lowered(third));
    return isKnown ? UTF8.decode(bytes.subarray(i, i + LABEL_BYTES)) : '';
  }

  /** Mixes bytes that are no text, such as a picture's address, into the hash. */
  hashBytes(start: number, end: number): void {
    for (let i = start; i < end; i++) this.mix(this.bytes[i] ?? 0);
  }

  /** The hash of all text so far and of a number that belongs to it, as 16 hexadecimal digits. */
  textHash(number: number): string {
    this.mix(number);
    this.mix(this.textBytes);
    return [this.hashHigh, this.hashLow].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }

  /** What `likeness` compares: the number of texts between tags and their odd sketch, in hexadecimal digits; empty without any text. */
  sketch(): string {
    if (this.runs === 0) return '';
    return `${this.runs.toString(16)}.${Array.from(this.flips, (bits) => (bits >>> 0).toString(16).padStart(8, '0')).join('')}`;
  }

  private mix(c: number): void {
    this.hashLow = Math.imul(this.hashLow ^ c, MIX_LOW);
    this.hashHigh = (Math.imul(this.hashHigh ^ c, MIX_HIGH) + this.hashLow) | 0;
  }

  /** True when the tag is wanted; any other is passed over, with its content where that is no markup. */
  private openTag(start: number, end: number): boolean {
    const { bytes } = this;
    const name = nameOf(bytes, start, end);
    this.at = end;
    this.isInTag = true;
    if (this.wanted.has(name)) {
      this.name = name;
      return true;
    }
    if (name === 'template') {
      this.passTemplate();
      return false;
    }
    this.isInTag = false;
    this.at = name === 'plaintext' ? bytes.length : tagEnd(bytes, end);
    if (RAW_TEXT.has(name)) this.passRawText(name);
    return false;
  }

  /** Passes over a template, whose content is inert, unless it declares a shadow root. */
  private passTemplate(): void {
    const { bytes } = this;
    let isShadow = false;
    while (this.nextAttribute()) isShadow ||= this.isNamed('shadowrootmode');
    for (let depth = isShadow ? 0 : 1; depth > 0 && this.at < bytes.length;) {
      const start = indexOrEnd(bytes, LESS, this.at) + 1;
      const c = bytes[start] ?? 0;
      if (isLetter(c)) {
        const end = nameEnd(bytes, start);
        const name = nameOf(bytes, start, end);
        this.at = tagEnd(bytes, end);
        if (name === 'template') depth++;
        else if (RAW_TEXT.has(name)) this.passRawText(name);
      } else if (c === SLASH && isLetter(bytes[start + 1] ?? 0)) {
        if (startsWithName(bytes, start + 1, 'template')) depth--;
        this.at = tagEnd(bytes, start + 1);
      } else {
        this.at = this.afterMarkup(start);
      }
    }
  }

  private finishTag(): void {
    if (this.isInTag) this.at = tagEnd(this.bytes, this.at);
    this.isInTag = false;
    if (RAW_TEXT.has(this.name)) this.passRawText(this.name);
    this.name = '';
  }

  private readValue(start: number): number {
    const { bytes } = this;
    let i = start;
    while (isBlank(bytes[i])) i++;
    const quote = bytes[i];
    let flags = 0;
    if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
      this.valueStart = ++i;
      for (let c = bytes[i]; c !== undefined && c !== quote; c = bytes[++i]) flags |= BYTE_FLAGS[c] ?? 0;
      this.valueEnd = i++;
    } else {
      this.valueStart = i;
      for (let c = bytes[i]; c !== undefined && c !== GREATER && !isBlank(c); c = bytes[++i]) flags |= BYTE_FLAGS[c] ?? 0;
      this.valueEnd = i;
    }
    this.valueFlags = flags;
    return i;
  }

  /** From behind a `<` that starts no tag to behind what it does start: a comment, a doctype, a stray end tag, or mere text. */
  private afterMarkup(start: number): number {
    const { bytes } = this;
    const c = bytes[start];
    if (c !== EXCLAMATION && c !== QUESTION && c !== SLASH) return start;
    if (c !== EXCLAMATION || bytes[start + 1] !== DASH || bytes[start + 2] !== DASH) return this.after(start, GREATER);
    if (bytes[start + 3] === GREATER) return start + 4;
    if (bytes[start + 3] === DASH && bytes[start + 4] === GREATER) return start + 5;
    for (let i = bytes.indexOf(GREATER, start + 3); i >= 0; i = bytes.indexOf(GREATER, i + 1)) {
      const isBang = bytes[i - 1] === EXCLAMATION ? 1 : 0;
      if (bytes[i - 1 - isBang] === DASH && bytes[i - 2 - isBang] === DASH && i - 2 - isBang >= start + 3) return i + 1;
    }
    return bytes.length;
  }

  /** Passes over the content of a raw text element, up to its end tag. */
  private passRawText(name: string): void {
    const { bytes } = this;
    const comments = name === 'script' ? new ScriptComments(this.at) : undefined;
    let isDouble = false;
    const isTitle = name === 'title';
    const begin = this.at;
    for (let i = bytes.indexOf(LESS, begin); i >= 0; i = bytes.indexOf(LESS, i + 1)) {
      if (comments && !isDouble && startsWithName(bytes, i + 1, 'script')) isDouble = comments.isOpenAt(bytes, i);
      if (bytes[i + 1] !== SLASH || !startsWithName(bytes, i + 2, name)) continue;
      if (isDouble && comments?.isOpenAt(bytes, i)) {
        isDouble = false;
        continue;
      }
      if (isTitle) this.hashBytes(begin, i);
      this.at = i;
      return;
    }
    this.at = bytes.length;
  }

  private after(start: number, byte: number): number {
    return Math.min(indexOrEnd(this.bytes, byte, start) + 1, this.bytes.length);
  }
}
