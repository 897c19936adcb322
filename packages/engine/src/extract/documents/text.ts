// Reads plain text, Markdown and XML of no known kind.
import { fencedCode } from '../markdown/handlers/code.ts';
import type { DocumentLink, DocumentRecords, Reading } from './readable.ts';
import { elementsOf, hasParts, recordOf } from './xml.ts';
import type { XmlElement } from './xml.ts';

const ADDRESS = /https?:\/\/[^\s<>"'`)\]]+/g;
const LINKS_MAX = 10_000;

/** How a text is written: as Markdown that it is, as plain text that stays as it is, or as code of no known language, in a fence. */
export type TextKind = 'markdown' | 'plain' | 'code';

/** A text with the addresses in it. */
export function readText(text: string, kind: TextKind): Reading {
  const title = kind === 'markdown' ? /^#\s+(.+?)\s*#*$/m.exec(text)?.[1] : undefined;
  return {
    ...(title === undefined ? {} : { title }),
    markdown: kind === 'code' ? fenced(text, '') : text,
    ...(kind === 'plain' ? { text } : {}),
    records: [],
    links: addressesIn(text),
  };
}

/** XML in a fence, with the largest group of like elements as records. */
export function readXml(root: XmlElement, text: string): Reading {
  const records = largestGroup(root);
  return { markdown: fenced(text, 'xml'), records: records ? [records] : [], links: addressesIn(text) };
}

function fenced(text: string, language: string): string {
  const lines = fencedCode(text, language);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function addressesIn(text: string): DocumentLink[] {
  const urls = new Set<string>();
  for (const [address] of text.matchAll(ADDRESS)) {
    const url = URL.parse(address.replace(/[.,;:!?]+$/, ''));
    if (url) urls.add(url.href);
    if (urls.size >= LINKS_MAX) break;
  }
  return [...urls].map((url) => ({ url, text: '' }));
}

/** The most children of one parent that have one name and parts of their own; at least two. */
function largestGroup(root: XmlElement): DocumentRecords | undefined {
  let best: { readonly path: string; readonly elements: readonly XmlElement[] } | undefined;
  const pending: { element: XmlElement; path: string }[] = [{ element: root, path: root.name }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { element, path } = next;
    const groups = Map.groupBy(elementsOf(element), (child) => child.name);
    for (const [name, group] of groups) {
      const elements = group.filter(hasParts);
      if (elements.length > Math.max(1, best?.elements.length ?? 0)) best = { path: `${path}/${name}`, elements };
      for (const child of elements) pending.push({ element: child, path: `${path}/${name}` });
    }
  }
  return best && { source: best.path, items: best.elements.map(recordOf) };
}
