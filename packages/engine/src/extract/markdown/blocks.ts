// Cuts Markdown into the blocks that must stay together, and blocks that are too long into parts that still read as Markdown.
import { estimateTokens, fittingLength } from './tokens.ts';

/** What decides how a block may be cut. */
export type BlockKind = 'heading' | 'fence' | 'table' | 'text';

/** Lines of Markdown that belong together. */
export interface MarkdownBlock {
  readonly kind: BlockKind;
  /** The lines of the block, without a line break at the end. */
  readonly text: string;
  /** What stands between this block and the one before. */
  readonly gap: '\n' | '\n\n';
  /** 1 to 6 for a heading, 0 otherwise. */
  readonly level: number;
}

const HEADING = /^(#{1,6})(?:\s|$)/;
/** A fence, also behind the markers of quotes and items. */
const FENCE = /^(?:[\s>]|[-*+] |\d+[.)] )*(`{3,}|~{3,})/;
const DELIMITER_ROW = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
/** Inline Markdown that means nothing in halves: links and pictures, one in another, code, addresses in angle brackets. */
const SPAN =
  /!?\[(?:\\.|!?\[[^\]\n]{0,1000}\](?:\([^()\s]{0,1000}\))?|[^[\]\\]){0,1000}\]\([^\n()]{0,1000}(?:\([^\n()]{0,200}\)[^\n()]{0,1000})?\)|(`+)[^`\n]{1,1000}\1|<[^<>\s]{1,1000}>/g;
const SPAN_CHARS_MAX = 2000;
const SENTENCE_END = /[.!?。！？]["')\]]*\s/g;

/** The blocks of `markdown` in order: a heading, a fence with its content, or lines up to the next blank one. */
export function splitBlocks(markdown: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let lines: string[] = [];
  let gap: MarkdownBlock['gap'] = '\n\n';
  let fence = '';
  const flush = (): void => {
    if (lines.length > 0) blocks.push(blockOf(lines, gap));
    lines = [];
  };
  const flushBeforeLine = (): void => {
    if (lines.length > 0) {
      flush();
      gap = '\n';
    }
  };
  for (const line of markdown.split('\n')) {
    if (fence !== '') {
      lines.push(line);
      if (closesFence(line, fence)) {
        fence = '';
        flushBeforeLine();
      }
    } else if (line.trim() === '') {
      flush();
      gap = '\n\n';
    } else {
      const opened = FENCE.exec(line)?.[1] ?? '';
      if (opened !== '' || HEADING.test(line)) flushBeforeLine();
      lines.push(line);
      fence = opened;
      if (opened === '' && HEADING.test(line)) flushBeforeLine();
    }
  }
  flush();
  return blocks;
}

function closesFence(line: string, fence: string): boolean {
  const text = line.replace(/^[\s>]*/, '').trimEnd();
  return text.length >= fence.length && text === (fence[0] ?? '').repeat(text.length);
}

function blockOf(lines: readonly string[], gap: MarkdownBlock['gap']): MarkdownBlock {
  const [first = '', second = ''] = lines;
  const level = lines.length === 1 ? (HEADING.exec(first)?.[1]?.length ?? 0) : 0;
  const kind = level > 0 ? 'heading' : FENCE.test(first) ? 'fence' : first.includes('|') && DELIMITER_ROW.test(second) ? 'table' : 'text';
  const text = lines.join('\n');
  return { kind, text: kind === 'fence' ? text : text.trimEnd(), gap, level };
}

/**
 * Parts of `block` of at most `tokensMax` tokens each. A fence is closed and opened again, a table's header is repeated;
 * a single table row or line of code that is longer stays whole.
 */
export function splitBlock(block: MarkdownBlock, tokensMax: number): MarkdownBlock[] {
  if (estimateTokens(block.text) <= tokensMax) return [block];
  const lines = block.text.split('\n');
  if (block.kind === 'fence') return packed(block, lines.slice(1, -1), tokensMax, lines[0] as string, lines.at(-1) as string);
  if (block.kind === 'table') return packed(block, lines.slice(2), tokensMax, lines.slice(0, 2).join('\n'), '');
  return packed(
    block,
    lines.flatMap((line) => splitLine(line, tokensMax)),
    tokensMax,
    '',
    '',
  );
}

/** Lines gathered into blocks that fit, each between `head` and `foot`. */
function packed(block: MarkdownBlock, lines: readonly string[], tokensMax: number, head: string, foot: string): MarkdownBlock[] {
  const frame = estimateTokens(head) + estimateTokens(foot) + 1;
  const blocks: MarkdownBlock[] = [];
  let part: string[] = [];
  let tokens = frame;
  const flush = (): void => {
    if (part.length === 0) return;
    const text = [head, ...part, foot].filter((line, i) => line !== '' || (i > 0 && i <= part.length)).join('\n');
    blocks.push({ ...block, text, gap: blocks.length === 0 ? block.gap : '\n' });
    part = [];
    tokens = frame;
  };
  for (const line of lines) {
    const cost = estimateTokens(`${line}\n`);
    if (tokens + cost > tokensMax) flush();
    part.push(line);
    tokens += cost;
  }
  flush();
  return blocks;
}

/** A line of text in parts that fit: at sentence ends, else at blanks, else anywhere, but inside a link or code only where that alone is too long. */
function splitLine(line: string, tokensMax: number): string[] {
  const parts: string[] = [];
  let rest = line;
  while (estimateTokens(rest.slice(0, tokensMax * 4 + 1)) > tokensMax - 1) {
    const fits = fittingLength(rest, Math.max(1, tokensMax - 1));
    if (fits >= rest.length) break;
    const cut = cutBefore(rest, fits);
    parts.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut);
  }
  if (rest !== '') parts.push(rest);
  return parts;
}

/** Where to cut `text` so that at most `length` characters stand before. */
function cutBefore(text: string, length: number): number {
  const before = text.slice(0, length);
  const spans = [...text.slice(0, length + SPAN_CHARS_MAX).matchAll(SPAN)].map(
    ({ index, 0: span }) => [index, index + span.length] as const,
  );
  const isFree = (cut: number) => !spans.some(([start, end]) => cut > start && cut < end);
  let sentence = 0;
  for (const match of before.matchAll(SENTENCE_END)) if (isFree(match.index + match[0].length)) sentence = match.index + match[0].length;
  if (sentence > length / 2) return sentence;
  for (let blank = before.lastIndexOf(' '); blank > 0; blank = before.lastIndexOf(' ', blank - 1)) if (isFree(blank + 1)) return blank + 1;
  const whole = spans.find(([start, end]) => start > 0 && length > start && length < end);
  return whole ? whole[0] : length;
}
