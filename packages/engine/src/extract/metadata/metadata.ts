// Reads what a page says about itself: title, author, dates, language, canonical address, feeds, icons, picture, robots.
import type { Element } from 'domhandler';
import { absoluteUrl, attribute, collapse, elementsBelow, textOf } from '../../html/selectors/walk.ts';
import type { PageTree } from '../../html/tree.ts';
import { findShownAuthor, findShownDate, personName } from './byline.ts';
import { parseDate } from './dates.ts';
import { findPageObject, isJsonObject, readJsonLd, typesOf } from './json-ld.ts';
import type { JsonObject } from './json-ld.ts';

export interface Metadata {
  readonly title?: string;
  readonly description?: string;
  /** Names of people, joined by a comma where there are several. */
  readonly author?: string;
  readonly site_name?: string;
  /** ISO 8601; with a zone only where the page states one, a bare day where it states no time. */
  readonly published_at?: string;
  readonly modified_at?: string;
  /** BCP 47 as the page writes it: `en`, `pt-BR`. */
  readonly language?: string;
  readonly canonical?: string;
  readonly feeds: readonly { readonly url: string; readonly type: string; readonly title?: string }[];
  readonly icons: readonly { readonly url: string; readonly rel: string; readonly sizes?: string }[];
  /** Address of the picture that stands for the page. */
  readonly image?: string;
  readonly keywords: readonly string[];
  /** From `<meta name="robots">`; an `X-Robots-Tag` header is the caller's to read. */
  readonly robots: { readonly noindex: boolean; readonly nofollow: boolean };
}

/** All that is read from the tree once. */
interface Sources {
  readonly tree: PageTree;
  /** Values of `<meta>` by lower-case name, property or itemprop, in document order. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  readonly links: readonly Element[];
  readonly page: JsonObject | undefined;
  readonly objects: readonly JsonObject[];
}

const VALUE_CHARACTERS_MAX = 2_000;
const KEYWORDS_MAX = 100;
const PUBLISHED = [
  'article:published_time',
  'og:article:published_time',
  'og:published_time',
  'datepublished',
  'parsely-pub-date',
  'sailthru.date',
  'citation_publication_date',
  'citation_date',
  'dcterms.created',
  'dcterms.date',
  'dcterms.issued',
  'dc.date.issued',
  'dc.date.created',
  'dc.date',
  'article.published',
  'published-date',
  'publish-date',
  'publish_date',
  'pubdate',
  'publication_date',
  'date',
];
const MODIFIED = [
  'article:modified_time',
  'og:updated_time',
  'og:modified_time',
  'datemodified',
  'dcterms.modified',
  'dc.date.modified',
  'last-modified',
  'article.updated',
  'lastmod',
  'revised',
];

/** The page's metadata; fields that it doesn't state are absent, lists are empty. */
export function readMetadata(tree: PageTree): Metadata {
  const sources = readSources(tree);
  return {
    ...present('title', readTitle(sources)),
    ...present(
      'description',
      firstMeta(sources, ['og:description', 'description', 'twitter:description', 'dc.description']) ??
        stringOf(sources.page?.['description']),
    ),
    ...present('author', readAuthor(sources)),
    ...present('site_name', readSiteName(sources)),
    ...present(
      'published_at',
      readDate(sources, PUBLISHED, ['datePublished', 'dateCreated', 'uploadDate']) ??
        readTimeElement(sources, /publish|posted|entry-date|pubdate|created/i) ??
        findShownDate(sources.tree),
    ),
    ...present('modified_at', readDate(sources, MODIFIED, ['dateModified'])),
    ...present('language', readLanguage(sources)),
    ...present('canonical', linkAddress(sources, 'canonical')),
    feeds: readFeeds(sources),
    icons: readIcons(sources),
    ...present('image', readImage(sources)),
    keywords: readKeywords(sources),
    robots: readRobots(sources),
  };
}

function present<Name extends string>(name: Name, value: string | undefined): { readonly [key in Name]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: string };
}

function readSources(tree: PageTree): Sources {
  const metas = new Map<string, string[]>();
  const links: Element[] = [];
  for (const element of elementsBelow(tree.root)) {
    if (element.name === 'link') links.push(element);
    if (element.name !== 'meta') continue;
    const value = collapse(element.attribs['content'] ?? '').slice(0, VALUE_CHARACTERS_MAX);
    if (value === '') continue;
    for (const key of ['property', 'name', 'itemprop', 'http-equiv']) {
      const name = attribute(element, key)?.toLowerCase();
      if (name !== undefined) metas.set(name, [...(metas.get(name) ?? []), value].slice(0, KEYWORDS_MAX));
    }
  }
  const objects = readJsonLd(tree);
  return { tree, metas, links, objects, page: findPageObject(objects) };
}

function firstMeta({ metas }: Sources, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = metas.get(name)?.[0];
    if (value !== undefined) return value;
  }
  return undefined;
}

function readTitle(sources: Sources): string | undefined {
  const title = sources.tree.head.children.find((node): node is Element => 'name' in node && node.name === 'title');
  const shown = title === undefined ? '' : collapse(title.children.map((node) => (node.type === 'text' ? node.data : '')).join(''));
  const stated =
    firstMeta(sources, ['og:title', 'twitter:title', 'dc.title', 'title']) ??
    stringOf(sources.page?.['headline'] ?? sources.page?.['name']);
  return shown === '' ? (stated ?? firstHeading(sources)) : shown.slice(0, VALUE_CHARACTERS_MAX);
}

function firstHeading({ tree }: Sources): string | undefined {
  for (const element of elementsBelow(tree.body)) if (element.name === 'h1') return textOf(element, VALUE_CHARACTERS_MAX) || undefined;
  return undefined;
}

function readAuthor(sources: Sources): string | undefined {
  const stated = namesOf(sources.page?.['author'] ?? sources.page?.['creator'], sources);
  if (stated.length > 0) return stated.join(', ');
  const meta = [
    ...metaNames(sources, 'author'),
    ...metaNames(sources, 'article:author'),
    ...metaNames(sources, 'dc.creator'),
    ...metaNames(sources, 'citation_author'),
    ...metaNames(sources, 'parsely-author'),
    ...metaNames(sources, 'sailthru.author'),
  ];
  return meta[0] ?? findShownAuthor(sources.tree);
}

function metaNames({ metas }: Sources, name: string): readonly string[] {
  const names = (metas.get(name) ?? []).map(personName).filter((value) => value !== '' && !/^https?:|^www\.|^@|^\d+$/.test(value));
  return names.length === 0 ? [] : [[...new Set(names)].join(', ')];
}

/** Names of people or organizations; `{"@id": …}` stands for the object that has this id. */
function namesOf(value: unknown, { objects }: Sources): readonly string[] {
  const listed: readonly unknown[] = [value].flat();
  const names = listed.slice(0, 20).flatMap((item) => {
    const known = isJsonObject(item) && item['name'] === undefined ? objects.find((object) => object['@id'] === item['@id']) : undefined;
    const named = known ?? item;
    return stringOf(isJsonObject(named) ? named['name'] : named) ?? [];
  });
  return [...new Set(names.map(personName).filter((name) => name !== '' && !/^https?:/.test(name)))];
}

function readSiteName(sources: Sources): string | undefined {
  const site = sources.objects.find((object) => typesOf(object).includes('WebSite'));
  return (
    firstMeta(sources, ['og:site_name', 'application-name', 'al:android:app_name']) ??
    stringOf(site?.['name']) ??
    namesOf(sources.page?.['publisher'], sources)[0]
  );
}

function readDate(sources: Sources, names: readonly string[], keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const date = parseDate(stringOf(sources.page?.[key]) ?? '');
    if (date !== undefined) return date;
  }
  for (const name of names) {
    const date = parseDate(sources.metas.get(name)?.[0] ?? '');
    if (date !== undefined) return date;
  }
  return undefined;
}

/** The first `<time>` that its names mark, or else the first inside an `<article>` or `<main>`. */
function readTimeElement({ tree }: Sources, marks: RegExp): string | undefined {
  let fallback: string | undefined;
  for (const element of elementsBelow(tree.body)) {
    const stated = element.attribs['datetime'] ?? element.attribs['content'];
    if (element.name !== 'time' && element.attribs['itemprop'] !== 'datePublished') continue;
    const date = parseDate(stated ?? textOf(element, 80));
    if (date === undefined) continue;
    if (marks.test(`${element.attribs['class'] ?? ''} ${element.attribs['itemprop'] ?? ''}`) || 'pubdate' in element.attribs) return date;
    fallback ??= date;
  }
  return fallback;
}

function readLanguage(sources: Sources): string | undefined {
  const stated =
    attribute(sources.tree.html, 'lang') ??
    attribute(sources.tree.html, 'xml:lang') ??
    firstMeta(sources, ['content-language', 'language', 'dc.language', 'og:locale', 'inlanguage']) ??
    stringOf(sources.page?.['inLanguage']);
  const tag = stated?.split(',')[0]?.trim().replaceAll('_', '-');
  return tag !== undefined && /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag) ? tag : undefined;
}

function linkAddress({ links, tree }: Sources, rel: string): string | undefined {
  return links.filter((link) => relsOf(link).includes(rel)).flatMap((link) => absoluteUrl(attribute(link, 'href'), tree) ?? [])[0];
}

function relsOf(link: Element): readonly string[] {
  return (link.attribs['rel'] ?? '').toLowerCase().split(/\s+/);
}

function readFeeds({ links, tree }: Sources): Metadata['feeds'] {
  const feeds = links.flatMap((link) => {
    const type = (link.attribs['type'] ?? '').toLowerCase();
    const url = absoluteUrl(attribute(link, 'href'), tree);
    const isFeed = /^application\/(?:rss|atom|rdf)\+xml|^application\/feed\+json|^text\/xml$/.test(type);
    if (url === undefined || !isFeed || !relsOf(link).some((rel) => rel === 'alternate' || rel === 'feed')) return [];
    return [{ url, type, ...present('title', attribute(link, 'title')) }];
  });
  return distinctBy(feeds, ({ url }) => url);
}

function readIcons({ links, tree }: Sources): Metadata['icons'] {
  const icons = links.flatMap((link) => {
    const rel = relsOf(link).find((name) => /^(?:icon|apple-touch-icon(?:-precomposed)?|mask-icon|fluid-icon)$/.test(name));
    const url = absoluteUrl(attribute(link, 'href'), tree);
    return rel === undefined || url === undefined ? [] : [{ url, rel, ...present('sizes', attribute(link, 'sizes')) }];
  });
  return distinctBy(icons, ({ url, rel }) => `${rel} ${url}`);
}

function distinctBy<Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] {
  return [...new Map(items.toReversed().map((item) => [key(item), item])).values()].toReversed();
}

function readImage(sources: Sources): string | undefined {
  const stated = firstMeta(sources, ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src', 'image']);
  return (
    absoluteUrl(stated ?? imageOf(sources.page?.['image']) ?? imageOf(sources.page?.['thumbnailUrl']), sources.tree) ??
    linkAddress(sources, 'image_src')
  );
}

function imageOf(value: unknown): string | undefined {
  const [first]: readonly unknown[] = [value].flat();
  return stringOf(isJsonObject(first) ? (first['url'] ?? first['contentUrl']) : first);
}

function readKeywords({ metas, page }: Sources): readonly string[] {
  const listed: readonly unknown[] = [page?.['keywords']].flat();
  const stated = [...(metas.get('keywords') ?? []), ...(metas.get('article:tag') ?? []), ...(metas.get('news_keywords') ?? [])];
  const words = [...stated, ...listed.flatMap((item) => stringOf(item) ?? [])].flatMap((text) => text.split(/[,;，、]/)).map(collapse);
  return [...new Set(words.filter((word) => word !== ''))].slice(0, KEYWORDS_MAX);
}

function readRobots({ metas }: Sources): Metadata['robots'] {
  const rules = (metas.get('robots') ?? []).flatMap((text) => text.toLowerCase().split(/[\s,;]+/));
  const all = rules.includes('none');
  return { noindex: all || rules.includes('noindex'), nofollow: all || rules.includes('nofollow') };
}

function stringOf(value: unknown): string | undefined {
  const [first]: readonly unknown[] = [value].flat();
  const text = typeof first === 'string' ? collapse(first).slice(0, VALUE_CHARACTERS_MAX) : '';
  return text === '' ? undefined : text;
}
