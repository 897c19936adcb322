// Reads what a page says about itself: title, author, dates, language, canonical address, feeds, icons, picture, robots.
import type { Element } from 'domhandler';
import { textOf } from '../../html/selectors/text.ts';
import { collapse } from '../../html/text.ts';
import { absoluteUrl } from '../../html/address.ts';
import { elementsNamed, isBelow } from '../../html/named-elements.ts';
import { attribute } from '../../html/walk.ts';
import type { PageTree } from '../../html/tree.ts';
import type { JsonLdNode } from '../structured/json-ld.ts';
import { listOf, typesOf } from '../structured/json-ld.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import { isJsonObject } from '../../html/loose-json.ts';
import { namesOf, readAuthor } from './people.ts';
import { VALUE_CHARACTERS_MAX, firstMeta, linkAddress, readSources, relsOf, stringOf } from './sources.ts';
import type { Sources } from './sources.ts';
import { readModified, readPublished } from './stated-dates.ts';

/** What a page says about itself; a member that it doesn't state is absent, a list is empty. */
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

const KEYWORDS_MAX = 100;
/** The page's metadata; fields that it doesn't state are absent, lists are empty. `jsonLd` is what its JSON-LD blocks hold. */
export function readMetadata(tree: PageTree, jsonLd: readonly JsonLdNode[]): Metadata {
  const sources = readSources(tree, jsonLd);
  return {
    ...present('title', readTitle(sources)),
    ...present(
      'description',
      firstMeta(sources, ['description', 'og:description', 'twitter:description', 'dc.description']) ??
        stringOf(sources.page?.['description']),
    ),
    ...present('author', readAuthor(sources)),
    ...present('site_name', readSiteName(sources)),
    ...present('published_at', readPublished(sources)),
    ...present('modified_at', readModified(sources)),
    ...present('language', readLanguage(sources)),
    ...present('canonical', linkAddress(sources, 'canonical')),
    feeds: readFeeds(sources),
    icons: readIcons(sources),
    ...present('image', readImage(sources)),
    keywords: readKeywords(sources),
    robots: readRobots(sources),
  };
}

/** A member that is there only with a value. The cast holds: the object has exactly the member `name`, or none. */
function present<Name extends string>(name: Name, value: string | undefined): { readonly [key in Name]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: string };
}

/** The text of its `<title>`; '' where it has none. What the whole of its metadata tells where there is none costs far more. */
export function readTitleElement({ head }: PageTree): string {
  const title = head.children.find((node): node is Element => 'name' in node && node.name === 'title');
  const shown = title === undefined ? '' : collapse(title.children.map((node) => (node.type === 'text' ? node.data : '')).join(''));
  return shown.slice(0, VALUE_CHARACTERS_MAX);
}

function readTitle(sources: Sources): string | undefined {
  const shown = readTitleElement(sources.tree);
  const stated =
    firstMeta(sources, ['og:title', 'twitter:title', 'dc.title', 'title']) ??
    stringOf(sources.page?.['headline'] ?? sources.page?.['name']);
  return shown === '' ? (stated ?? firstHeading(sources)) : shown;
}

function firstHeading({ tree }: Sources): string | undefined {
  const heading = elementsNamed(tree, 'h1').find((element) => isBelow(element, tree.body));
  return (heading && textOf(heading, VALUE_CHARACTERS_MAX)) || undefined;
}

function readSiteName(sources: Sources): string | undefined {
  const site = sources.objects.find((object) => typesOf(object).includes('website'));
  return (
    firstMeta(sources, ['og:site_name', 'application-name', 'al:android:app_name']) ??
    stringOf(site?.['name']) ??
    namesOf(sources.page?.['publisher'], sources)[0]
  );
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

function imageOf(value: JsonValue | undefined): string | undefined {
  const [first] = listOf(value);
  return stringOf(isJsonObject(first) ? (first['url'] ?? first['contentUrl']) : first);
}

function readKeywords({ metas, page }: Sources): readonly string[] {
  const listed = listOf(page?.['keywords']);
  const stated = [...(metas.get('keywords') ?? []), ...(metas.get('article:tag') ?? []), ...(metas.get('news_keywords') ?? [])];
  const words = [...stated, ...listed.flatMap((item) => stringOf(item) ?? [])].flatMap((text) => text.split(/[,;，、]/)).map(collapse);
  return [...new Set(words.filter((word) => word !== ''))].slice(0, KEYWORDS_MAX);
}

function readRobots({ metas }: Sources): Metadata['robots'] {
  const rules = (metas.get('robots') ?? []).flatMap((text) => text.toLowerCase().split(/[\s,;]+/));
  const all = rules.includes('none');
  return { noindex: all || rules.includes('noindex'), nofollow: all || rules.includes('nofollow') };
}
