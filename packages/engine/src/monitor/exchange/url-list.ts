// A plain list of addresses: one a line, with a name behind it where it has one.
import type { Collector } from './exchange.ts';
import { Draft } from './draft.ts';

/** `https://example.com`, then a tab or ` | ` and a name where there is one; lines that are empty or begin with # are passed over. */
export function readUrlList(text: string, into: Collector): void {
  for (const [place, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const draft = new Draft(`line ${place + 1}`, into);
    const [, url = '', name] = /^([^\t|]*?)\s*(?:[\t|]\s*(.*))?$/.exec(trimmed) ?? [];
    draft.setUrl(url === '' ? trimmed : url, '');
    draft.setName(name);
    draft.finish();
  }
}
