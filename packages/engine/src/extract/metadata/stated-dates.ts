// When a page says that it was published and changed: JSON-LD first, then `<meta>`, `<time>`, and what is shown.
import { textOf } from '../../html/selectors/text.ts';
import { findShownDate } from './byline.ts';
import { parseDate } from './dates.ts';
import { shownMarksOf } from './shown-marks.ts';
import { stringOf } from './sources.ts';
import type { Sources } from './sources.ts';

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

const PUBLISHED_MARK = /publish|posted|entry-date|pubdate|created/i;

/** ISO 8601, as parseDate writes it; undefined where the page states no day of publication. */
export function readPublished(sources: Sources): string | undefined {
  const stated = readDate(sources, PUBLISHED, ['datePublished', 'dateCreated', 'uploadDate']);
  return stated ?? readTimeElement(sources) ?? findShownDate(sources.tree);
}

/** ISO 8601, as parseDate writes it; undefined where the page states no day of change. */
export function readModified(sources: Sources): string | undefined {
  return readDate(sources, MODIFIED, ['dateModified']);
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

/** The first `<time>` that is marked as the day of publication, or else the first of all. */
function readTimeElement({ tree }: Sources): string | undefined {
  let fallback: string | undefined;
  for (const element of shownMarksOf(tree).times) {
    const date = parseDate(element.attribs['datetime'] ?? element.attribs['content'] ?? textOf(element, 80));
    if (date === undefined) continue;
    if (PUBLISHED_MARK.test(`${element.attribs['class'] ?? ''} ${element.attribs['itemprop'] ?? ''}`) || 'pubdate' in element.attribs)
      return date;
    fallback ??= date;
  }
  return fallback;
}
