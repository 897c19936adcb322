// Reads the text of a PDF: lines from placed words, headings from their size, paragraphs from the gaps between lines.
import { PageError } from '../../errors.ts';
import { escapeParagraph } from './paragraph.ts';
import type { DocumentLink, Reading } from './readable.ts';

/** Pages behind these are not read. */
export const PDF_PAGES_MAX = 1000;

/** A run of text as PDF.js gives it. */
export interface PlacedText {
  readonly str: string;
  /** Position in `transform[4]` and `transform[5]`, from the lower left corner. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
}

interface Line {
  text: string;
  /** The base line, from below. */
  readonly y: number;
  /** Where the last run ended. */
  right: number;
  height: number;
}

/** The reading of `body`. Throws PageError `page_unreadable` for a damaged or locked file; stops between pages when aborted. */
export async function readPdf(body: Uint8Array, signal?: AbortSignal): Promise<Reading> {
  const { getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(body.slice(), { useSystemFonts: false, verbosity: 0 }).catch((cause: unknown) => {
    throw new PageError('page_unreadable', 'The PDF is damaged or locked.', { cause });
  });
  try {
    const lines: Line[] = [];
    const links = new Map<string, DocumentLink>();
    for (let number = 1; number <= Math.min(pdf.numPages, PDF_PAGES_MAX); number++) {
      signal?.throwIfAborted();
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      lines.push(...linesOf(items.filter((item): item is typeof item & PlacedText => 'str' in item)));
      const annotations: unknown = await page.getAnnotations();
      for (const url of addressesOf(annotations)) links.set(url, { url, text: '' });
      page.cleanup();
    }
    const title = titleOf(await pdf.getMetadata());
    return { ...(title === undefined ? {} : { title }), markdown: markdownOf(lines), records: [], links: [...links.values()] };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

function titleOf(metadata: { readonly info: object }): string | undefined {
  const title: unknown = 'Title' in metadata.info ? metadata.info.Title : undefined;
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined;
}

function addressesOf(annotations: unknown): string[] {
  if (!Array.isArray(annotations)) return [];
  return annotations.flatMap((annotation: unknown) => {
    const url: unknown = typeof annotation === 'object' && annotation !== null && 'url' in annotation ? annotation.url : undefined;
    return typeof url === 'string' && /^(?:https?|mailto):/.test(url) ? [url] : [];
  });
}

/** Joins the runs of one page, which come in reading order, into lines. */
export function linesOf(items: readonly PlacedText[]): Line[] {
  const lines: Line[] = [];
  for (const { str, transform, width, height } of items) {
    const [x, y] = [transform[4] ?? 0, transform[5] ?? 0];
    const line = lines.at(-1);
    if (str.trim() === '') {
      if (line && str !== '' && !line.text.endsWith(' ')) line.text += ' ';
      continue;
    }
    const size = height || Math.abs(transform[3] ?? 0) || 1;
    if (line && Math.abs(line.y - y) < size * 0.5) {
      const isApart = x - line.right > size * 0.15;
      line.text += isApart && !line.text.endsWith(' ') ? ` ${str}` : str;
      line.right = x + width;
      line.height = Math.max(line.height, size);
    } else {
      lines.push({ text: str, y, right: x + width, height: size });
    }
  }
  return lines;
}

/** Lines of one size and distance make a paragraph; short lines that are clearly larger than most text are headings. */
export function markdownOf(lines: readonly Line[]): string {
  const usual = usualHeight(lines);
  const blocks: string[] = [];
  let paragraph = '';
  let above: Line | undefined;
  const flush = (): void => {
    if (paragraph !== '') blocks.push(`${escapeParagraph(paragraph)}\n`);
    paragraph = '';
  };
  for (const line of lines) {
    const text = line.text.trim();
    if (text === '') continue;
    if (line.height >= usual * 1.2 && text.length <= 150) {
      flush();
      blocks.push(`${line.height >= usual * 1.6 ? '#' : '##'} ${escapeParagraph(text)}\n`);
      above = undefined;
      continue;
    }
    const gap = above ? above.y - line.y : 0;
    const isNewPage = gap < 0;
    if (above && (gap > line.height * 1.9 || (isNewPage && /[.!?:]$/.test(paragraph)))) flush();
    paragraph = appendLine(paragraph, text);
    above = line;
  }
  flush();
  return blocks.join('\n');
}

/** A word that was hyphenated at the end of a line is joined again. */
function appendLine(paragraph: string, text: string): string {
  if (paragraph === '') return text;
  if (/\p{Ll}-$/u.test(paragraph) && /^\p{Ll}/u.test(text)) return paragraph.slice(0, -1) + text;
  return `${paragraph} ${text}`;
}

/** The height that most characters have. */
function usualHeight(lines: readonly Line[]): number {
  const weights = new Map<number, number>();
  for (const { height, text } of lines) {
    const rounded = Math.round(height * 2) / 2;
    weights.set(rounded, (weights.get(rounded) ?? 0) + text.length);
  }
  let usual = 0;
  for (const [height, weight] of weights) if (weight > (weights.get(usual) ?? 0)) usual = height;
  return usual;
}
