// A scraped page as it is printed: one view of it as text, several as an object.
import type { PageFormat, PageRecord } from '@weft/contract';
import type { CommandContext } from '../../context.ts';
import { cutMarkdown } from './cut.ts';
import type { Cut } from './cut.ts';

/** How a page is printed. */
export interface Printing {
  readonly cut: Cut | undefined;
  readonly formats: readonly (PageFormat | 'json')[];
  /** It is the only page: its JSON may take several lines. */
  readonly isOne: boolean;
}

export interface PageText {
  readonly text: string;
  /** It is JSON that names the page. */
  readonly isObject: boolean;
}

export async function pageText(context: CommandContext, page: PageRecord, { cut, formats, isOne }: Printing): Promise<PageText> {
  const object = (value: object) => ({ text: JSON.stringify(value, null, isOne ? 2 : 0), isObject: true });
  if (cut) return { text: await cutMarkdown(page, cut, context), isObject: false };
  if (formats.includes('json')) return object(page);
  const [format] = formats;
  if (format !== undefined && format !== 'json' && formats.length === 1) return { text: textOf(page, format), isObject: false };
  const { url, title } = page;
  const views = formats.map((name) => [name, page[name as PageFormat] ?? null]);
  return object({ url, ...(title === undefined ? {} : { title }), ...(Object.fromEntries(views) as object) });
}

function textOf(page: PageRecord, format: PageFormat): string {
  if (format === 'links') return (page.links ?? []).map((link) => link.url).join('\n');
  const value = page[format];
  return typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2);
}
