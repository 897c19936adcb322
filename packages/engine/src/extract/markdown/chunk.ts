// Cuts Markdown into chunks for language models, at headings and between blocks.
import { splitBlock, splitBlocks } from './blocks.ts';
import type { MarkdownBlock } from './blocks.ts';
import { estimateTokens } from './tokens.ts';

/** How long chunks may be and what they repeat. */
export interface ChunkOptions {
  /** The most tokens of a chunk, as `estimateTokens` counts them; at least 16. */
  readonly tokensMax: number;
  /** How many tokens of whole blocks at the end of a chunk are repeated at the start of the next; default 0. */
  readonly overlap?: number;
}

/** One piece of a longer text, readable by itself. */
export interface MarkdownChunk {
  readonly text: string;
  /** The headings above the first block that is new in the chunk, outermost first, that block included. */
  readonly headings: readonly string[];
  /** Estimated, see `estimateTokens`. */
  readonly tokens: number;
}

const TOKENS_MIN = 16;

/**
 * `markdown` in chunks, in order; empty for a blank text. A chunk ends between blocks, never inside a fence or a table row, and not
 * behind a heading if what follows leaves room for it. A block that is too long is split by lines or sentences; one table row or line of code may exceed the limit.
 */
export function chunkMarkdown(markdown: string, options: ChunkOptions): readonly MarkdownChunk[] {
  const tokensMax = Math.max(TOKENS_MIN, options.tokensMax);
  const overlap = Math.min(options.overlap ?? 0, tokensMax / 2);
  const packer = new ChunkPacker(tokensMax, overlap);
  for (const block of splitBlocks(markdown)) for (const part of splitBlock(block, tokensMax)) packer.add(part);
  return packer.finish();
}

/** The beginning of a text. */
export interface TruncatedMarkdown {
  readonly text: string;
  /** Estimated, see `estimateTokens`; 0 where nothing was cut off. */
  readonly tokensLeftOut: number;
}

/**
 * The blocks at the beginning of `markdown` that fit into `tokensMax` tokens, without headings that nothing follows. Only where not even
 * the first block fits is that one cut, between lines, sentences or words, never inside a link.
 */
export function truncateMarkdown(markdown: string, tokensMax: number): TruncatedMarkdown {
  const total = estimateTokens(markdown);
  if (total <= tokensMax) return { text: markdown, tokensLeftOut: 0 };
  const kept: MarkdownBlock[] = [];
  let left = tokensMax;
  for (const block of splitBlocks(markdown)) {
    if (tokensOf(block) > left) {
      if (kept.every(isHeadingBlock)) kept.push(...beginningOf(block, left));
      break;
    }
    kept.push(block);
    left -= tokensOf(block);
  }
  while (kept.length > 1 && isHeadingBlock(kept.at(-1) as MarkdownBlock) && !kept.every(isHeadingBlock)) kept.pop();
  const text = kept.reduce(joined, '');
  return { text, tokensLeftOut: total - estimateTokens(text) };
}

function isHeadingBlock(block: MarkdownBlock): boolean {
  return block.kind === 'heading';
}

/** As much of one block as fits; nothing of a heading, or where not even its first line does. */
function beginningOf(block: MarkdownBlock, tokensMax: number): readonly MarkdownBlock[] {
  const [part] = tokensMax > 1 && !isHeadingBlock(block) ? splitBlock(block, tokensMax - 1) : [];
  return part && tokensOf(part) <= tokensMax ? [part] : [];
}

function joined(text: string, block: MarkdownBlock): string {
  return text === '' ? block.text : text + block.gap + block.text;
}

class ChunkPacker {
  private readonly tokensMax: number;
  private readonly overlap: number;
  private readonly chunks: MarkdownChunk[] = [];
  private blocks: MarkdownBlock[] = [];
  /** How many of `blocks` were in the chunk before. */
  private repeated = 0;
  private tokens = 0;
  private path: { readonly level: number; readonly text: string }[] = [];
  private headings: readonly string[] = [];

  constructor(tokensMax: number, overlap: number) {
    this.tokensMax = tokensMax;
    this.overlap = overlap;
  }

  add(block: MarkdownBlock): void {
    const tokens = tokensOf(block);
    if (this.blocks.length > this.repeated && this.tokens + tokens > this.tokensMax) this.cut(tokens);
    if (block.kind === 'heading') {
      this.path = [...this.path.filter((heading) => heading.level < block.level), { level: block.level, text: headingText(block.text) }];
    }
    if (this.blocks.length === this.repeated) this.headings = this.path.map((heading) => heading.text);
    this.blocks.push(block);
    this.tokens += tokens;
  }

  /** Ends the chunk; headings at its end go on to the next one, as does the overlap if `nextTokens` leave room for it. */
  private cut(nextTokens: number): void {
    const end = this.endBeforeHeadings(nextTokens);
    const moved = this.blocks.slice(end);
    const chunk = this.blocks.slice(0, end);
    const opened = this.headings;
    this.push(chunk);
    this.blocks = this.overlapOf(chunk, nextTokens + moved.reduce((sum, block) => sum + tokensOf(block), 0));
    this.repeated = this.blocks.length;
    this.tokens = this.blocks.reduce((sum, block) => sum + tokensOf(block), 0);
    this.headings = moved.length > 0 ? this.path.map((heading) => heading.text) : opened;
    for (const block of moved) {
      this.blocks.push(block);
      this.tokens += tokensOf(block);
    }
  }

  /** Where the chunk ends if headings at its end stay with what follows, as far as they fit there. */
  private endBeforeHeadings(nextTokens: number): number {
    let end = this.blocks.length;
    let tokens = nextTokens;
    while (end > this.repeated + 1) {
      const last = this.blocks[end - 1] as MarkdownBlock;
      tokens += tokensOf(last);
      if (last.kind !== 'heading' || tokens > this.tokensMax) break;
      end--;
    }
    return end;
  }

  private overlapOf(chunk: readonly MarkdownBlock[], neededTokens: number): MarkdownBlock[] {
    let from = chunk.length;
    let room = Math.min(this.overlap, this.tokensMax - neededTokens);
    while (from > 1) {
      room -= tokensOf(chunk[from - 1] as MarkdownBlock);
      if (room < 0) break;
      from--;
    }
    return chunk.slice(from);
  }

  private push(blocks: readonly MarkdownBlock[]): void {
    const text = blocks.reduce(joined, '');
    this.chunks.push({ text, headings: this.headings, tokens: estimateTokens(text) });
  }

  finish(): readonly MarkdownChunk[] {
    if (this.blocks.length > this.repeated) this.push(this.blocks);
    return this.chunks;
  }
}

/** The block's tokens and those of the gap before it. */
function tokensOf(block: MarkdownBlock): number {
  return estimateTokens(block.text) + 1;
}

/** A heading as its words: without marks, links as their text. */
function headingText(line: string): string {
  return line
    .replace(/^#+\s*/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|~~|(?<!\\)[*`]/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim();
}
