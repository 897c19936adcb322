// Reads feeds and sitemaps: RSS 0.9 to 2.0, RDF, Atom (RFC 4287), sitemaps and their indexes.
import { textOf as shownText } from '../../html/selectors/text.ts';
import { parseTree } from '../../html/tree.ts';
import { destination } from '../markdown/destination.ts';
import { toMarkdown } from '../markdown/markdown.ts';
import { escapeLinkText, escapeParagraph } from './paragraph.ts';
import type { DocumentLink, Reading } from './readable.ts';
import { elementsOf, innerMarkup, localName, textOf } from './xml.ts';
import type { XmlElement } from './xml.ts';

/** Roots of feeds, and the names of their entries. */
const ENTRY_NAMES: Readonly<Record<string, string>> = { rss: 'item', rdf: 'item', feed: 'entry', urlset: 'url', sitemapindex: 'sitemap' };

/** Elements of an entry that several formats name differently; the first that has text counts. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  published: ['pubdate', 'published', 'issued', 'date'],
  updated: ['updated', 'modified', 'lastmod'],
  id: ['guid', 'id'],
  change_frequency: ['changefreq'],
  priority: ['priority'],
};

interface Entry {
  readonly title: string;
  readonly url: string | undefined;
  /** Markdown. */
  readonly body: string;
  readonly item: Readonly<Record<string, unknown>>;
}

/** True for the root of a feed, a sitemap or a sitemap index. */
export function isFeed(root: XmlElement): boolean {
  return Object.hasOwn(ENTRY_NAMES, localName(root));
}

/** The reading of a feed found at `url`; records have `title url published updated author id summary content image categories` as far as present, summary and content as Markdown. */
export function readFeed(root: XmlElement, url: string): Reading {
  const head = elementsOf(root).find((child) => localName(child) === 'channel') ?? root;
  const entryName = ENTRY_NAMES[localName(root)];
  const found = [head, root].map((parent) => elementsOf(parent).filter((child) => localName(child) === entryName));
  const entries = (found.find((elements) => elements.length > 0) ?? []).map((element) => readEntry(element, url));
  const title = titleOf(head, url);
  const description = htmlToMarkdown(fieldOf(head, ['description', 'subtitle', 'tagline']), url);
  const blocks = [
    title === '' ? '' : `# ${escapeParagraph(title)}\n`,
    description,
    ...(isSitemap(root) ? [linesOf(entries)] : entries.map(blockOf)),
  ];
  return {
    ...(title === '' ? {} : { title }),
    markdown: blocks.filter((block) => block !== '').join('\n'),
    records: entries.length > 0 ? [{ source: 'feed', items: entries.map((entry) => entry.item) }] : [],
    links: entries.flatMap((entry): DocumentLink[] => (entry.url === undefined ? [] : [{ url: entry.url, text: entry.title }])),
  };
}

function isSitemap(root: XmlElement): boolean {
  return ['urlset', 'sitemapindex'].includes(localName(root));
}

function readEntry(element: XmlElement, base: string): Entry {
  const title = titleOf(element, base);
  const url = absolute(linkOf(element), base);
  const content = htmlToMarkdown(markupOf(element, ['encoded', 'content']), url ?? base);
  const summary = htmlToMarkdown(markupOf(element, ['description', 'summary']), url ?? base);
  const item: Record<string, unknown> = {};
  const author = authorOf(element);
  const categories = elementsOf(element)
    .filter((child) => localName(child) === 'category')
    .map((child) => textOf(child) || (child.attributes['term'] ?? ''));
  const values = { title, url, author, summary: summary.trim(), content: content.trim(), image: imageOf(element, base) };
  for (const [name, value] of Object.entries(values)) if (value) item[name] = value;
  for (const [name, names] of Object.entries(FIELDS)) {
    const value = fieldOf(element, names);
    if (value !== '') item[name] = value;
  }
  if (categories.length > 0) item['categories'] = categories;
  return { title, url, body: content.length >= summary.length ? content : summary, item };
}

/** The text of the first named child that has any. */
function fieldOf(element: XmlElement, names: readonly string[]): string {
  for (const name of names) {
    for (const child of elementsOf(element)) {
      const text = localName(child) === name ? textOf(child) : '';
      if (text !== '') return text;
    }
  }
  return '';
}

/** As `fieldOf`, but Atom's inline XHTML as markup. Media extensions have a `content` of their own, without text. */
function markupOf(element: XmlElement, names: readonly string[]): string {
  for (const name of names) {
    for (const child of elementsOf(element)) {
      if (localName(child) !== name) continue;
      const markup = child.attributes['type'] === 'xhtml' ? innerMarkup(child) : textOf(child);
      if (markup !== '') return markup;
    }
  }
  return '';
}

/** A title is text, though many feeds put escaped HTML into it. */
function titleOf(element: XmlElement, base: string): string {
  const own = elementsOf(element).filter((child) => child.name.toLowerCase() === 'title');
  const text = own.length > 0 ? textOf(own[0] as XmlElement) : fieldOf(element, ['title']);
  return plainText(text, base).replace(/\s+/g, ' ').trim();
}

/** RSS: the text of `link`; Atom: the `href` of the alternate one; sitemaps: `loc`; else a permanent identifier. */
function linkOf(element: XmlElement): string {
  const links = elementsOf(element).filter((child) => localName(child) === 'link');
  const alternate = links.find((link) => link.attributes['href'] && ['alternate', undefined].includes(link.attributes['rel']));
  const text = links.map(textOf).find((link) => link !== '');
  const guid = elementsOf(element).find((child) => localName(child) === 'guid' && child.attributes['isPermaLink'] !== 'false');
  const permanent = guid && /^https?:/.test(textOf(guid)) ? textOf(guid) : '';
  return alternate?.attributes['href'] ?? text ?? (fieldOf(element, ['loc']) || permanent);
}

function authorOf(element: XmlElement): string {
  const author = elementsOf(element).find((child) => ['author', 'creator'].includes(localName(child)));
  return author ? fieldOf(author, ['name']) || textOf(author) : '';
}

/** A picture that the entry encloses (RSS enclosure, Media RSS). */
function imageOf(element: XmlElement, base: string): string | undefined {
  const media = elementsOf(element).find((child) => {
    const type = child.attributes['type'] ?? '';
    const isPicture = type.startsWith('image/') || child.attributes['medium'] === 'image' || localName(child) === 'thumbnail';
    return isPicture && child.attributes['url'] !== undefined;
  });
  return absolute(media?.attributes['url'] ?? '', base);
}

function absolute(address: string, base: string): string | undefined {
  const url = address === '' ? null : URL.parse(address, base);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

function htmlToMarkdown(html: string, base: string): string {
  if (html === '') return '';
  const tree = parseTree(html, base);
  return toMarkdown(tree.body.children, { baseUrl: base });
}

function plainText(html: string, base: string): string {
  if (!/[<&]/.test(html)) return html;
  return shownText(parseTree(html, base).body);
}

function blockOf(entry: Entry): string {
  const title = entry.title || (entry.url ?? 'Untitled');
  const date = entry.item['published'] ?? entry.item['updated'];
  const words = escapeLinkText(title);
  const heading = entry.url === undefined ? `## ${words}\n` : `## [${words}](${destination(entry.url, false)})\n`;
  return [heading, typeof date === 'string' ? `${date}\n` : '', entry.body].filter((block) => block !== '').join('\n');
}

function linesOf(entries: readonly Entry[]): string {
  const lines = entries.flatMap((entry) => (entry.url === undefined ? [] : [`- ${entry.url}`]));
  return lines.length > 0 ? `${lines.join('\n')}\n` : '';
}
