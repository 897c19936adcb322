// Feeds of an OPML list (http://opml.org/spec2.opml).
import { isElement, parseXml } from '../../extract/documents/xml.ts';
import type { XmlElement } from '../../extract/documents/xml.ts';
import { ExchangeError } from '../../run/exchange/untrusted.ts';
import { Draft } from './draft.ts';
import type { Collector } from './exchange.ts';

/** A monitor for each feed, with the folders that it lies in as tags. Throws ExchangeError. */
export async function readOpml(text: string, into: Collector): Promise<void> {
  const root = await parseXml(text);
  if (root?.name.toLowerCase() !== 'opml') throw new ExchangeError('The file is no OPML: its first element is not <opml>.');
  const body = root.children.filter(isElement).find(({ name }) => name.toLowerCase() === 'body');
  readOutlines(body, 'opml.body', [], into);
}

/** Its depth is bounded by the parser. */
function readOutlines(parent: XmlElement | undefined, path: string, folders: readonly string[], into: Collector): void {
  const outlines = (parent?.children ?? []).filter(isElement).filter(({ name }) => name.toLowerCase() === 'outline');
  for (const [place, outline] of outlines.entries()) {
    const at = `${path}.outline[${place}]`;
    const attributes = Object.fromEntries(Object.entries(outline.attributes).map(([name, value]) => [name.toLowerCase(), value]));
    const title = attributes['title'] ?? attributes['text'] ?? '';
    const url = attributes['xmlurl'];
    if (url !== undefined) addFeed({ url, title, at, folders }, into);
    readOutlines(outline, at, url === undefined && title !== '' ? [...folders, title] : folders, into);
  }
}

function addFeed(
  { url, title, at, folders }: { readonly url: string; readonly title: string; readonly at: string; readonly folders: readonly string[] },
  into: Collector,
): void {
  const draft = new Draft(at, into);
  draft.setUrl(url, 'xmlUrl');
  draft.setName(title);
  const tags = into.tagsFor(folders, at);
  if (tags.length > 0) draft.set('tags', [...tags]);
  draft.finish();
}
