// Lists of filters as urlwatch and webchanges write them: names with their options, in texts or in lists.
import { isMembers } from '../../../run/value.ts';

/** One filter with its options by name. */
export interface Filter {
  readonly kind: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Its place in the list. */
  readonly place: number;
}

/** The option that stands alone, by filter. */
const ALONE: Readonly<Record<string, string>> = {
  between: 'start',
  css: 'selector',
  csv2text: 'format_message',
  delete_lines_containing: 'text',
  'element-by-class': 'class',
  'element-by-id': 'id',
  'element-by-style': 'style',
  'element-by-tag': 'tag',
  execute: 'command',
  'format-json': 'indentation',
  grep: 're',
  grepi: 're',
  html2text: 'method',
  jq: 'query',
  keep_lines_containing: 'text',
  'pretty-xml': 'indentation',
  're.findall': 'pattern',
  're.sub': 'pattern',
  'remove-duplicate-lines': 'separator',
  remove_repeated: 'separator',
  reverse: 'separator',
  shellpipe: 'command',
  sort: 'separator',
  strip: 'chars',
  xpath: 'path',
};

/** The filters, in order. In a text they stand between commas, each with what is behind its colon. */
export function filtersOf(written: unknown): readonly Filter[] {
  const list: readonly unknown[] = typeof written === 'string' ? written.split(',').map(partOf) : Array.isArray(written) ? written : [];
  return list.flatMap((item, place): Filter[] => {
    if (typeof item === 'string') return [{ kind: item.trim(), options: {}, place }];
    const [entry] = isMembers(item) ? Object.entries(item) : [];
    if (!entry) return [];
    const [kind, value] = entry;
    if (value === null || value === undefined) return [{ kind, options: {}, place }];
    return [{ kind, options: isMembers(value) ? value : { [ALONE[kind] ?? 'value']: value }, place }];
  });
}

function partOf(text: string): unknown {
  const colon = text.indexOf(':');
  return colon < 0 ? text : { [text.slice(0, colon).trim()]: text.slice(colon + 1) };
}
