// Reads sitemaps of any form (index, urlset, RSS, Atom, plain text) while they stream in, without trusting them.
import { SaxesParser } from 'saxes';

/** One address that a sitemap lists. */
export interface SitemapEntry {
  /** A page to visit, or a further sitemap. */
  readonly kind: 'page' | 'sitemap';
  /** Absolute http or https address without fragment. */
  readonly url: string;
  /** As written, for example `2026-11-20`. */
  readonly lastModified: string | undefined;
}

/** Bounds of one file. */
export interface SitemapLimits {
  /** After decompression; sitemaps.org allows 52,428,800. */
  readonly bytesMax?: number;
  readonly entriesMax?: number;
}

/** How the reading of one file ended. */
export type SitemapEnd = 'complete' | 'too_large' | 'too_many_entries' | 'broken' | 'no_sitemap';

const BYTES_MAX = 52_428_800;
const ENTRIES_MAX = 250_000;
const DEPTH_MAX = 64;
const URL_CHARS_MAX = 4_096;

/** A push parser for one sitemap: write its text piece by piece and take what each piece completed. */
export class SitemapParser {
  /** Set once nothing more can be read. */
  ended: SitemapEnd | undefined;
  private readonly url: string;
  private readonly entriesMax: number;
  private hasRoot = false;
  private readonly stack: string[] = [];
  private entries: SitemapEntry[] = [];
  private count = 0;
  private location: string | undefined;
  private modified: string | undefined;
  /** The page of an RSS item without a link. */
  private permalink: string | undefined;
  private isPermalink = true;
  private text = '';
  private form: 'xml' | 'text' | undefined;
  private readonly xml = new SaxesParser({ xmlns: false as const });

  /** `url` is the sitemap's own address, which relative entries resolve against. */
  constructor(url: string, entriesMax: number = ENTRIES_MAX) {
    this.url = url;
    this.entriesMax = entriesMax;
    this.listen();
  }

  /** The entries that are complete with this piece, in order. */
  write(piece: string): readonly SitemapEntry[] {
    if (this.ended) return [];
    if (this.form === undefined) {
      const start = (this.text + piece).replace(/^[\ufeff\s]+/, '');
      if (start === '') return [];
      this.form = start.startsWith('<') ? 'xml' : 'text';
      this.text = '';
      return this.feed(start);
    }
    return this.feed(piece);
  }

  /** The last entries; after this, `ended` is set. */
  end(): readonly SitemapEntry[] {
    if (this.ended) return [];
    if (this.form === 'text') this.addLine(this.text);
    if (this.form === 'xml') this.xml.close();
    if (this.form === undefined || (this.form === 'xml' && !this.hasRoot)) this.ended = 'no_sitemap';
    else this.ended ??= this.stack.length > 0 ? 'broken' : 'complete';
    return this.take();
  }

  private feed(piece: string): readonly SitemapEntry[] {
    if (this.form === 'xml') {
      this.xml.write(piece);
    } else {
      const lines = (this.text + piece).split(/\r\n|\r|\n/);
      this.text = lines.pop() ?? '';
      for (const line of lines) this.addLine(line);
    }
    return this.take();
  }

  private take(): readonly SitemapEntry[] {
    const taken = this.entries;
    this.entries = [];
    return taken;
  }

  /** Entities that a document type declares are never expanded: the parser knows the five of XML and leaves the rest as text. */
  private listen(): void {
    // Half a sitemap is better than none: the parser goes on behind a fault, and what is complete counts.
    this.xml.on('error', () => undefined);
    this.xml.on('opentag', (tag) => this.openElement(localName(tag.name), tag.attributes));
    this.xml.on('text', (text) => this.addText(text));
    this.xml.on('cdata', (text) => this.addText(text));
    this.xml.on('closetag', (tag) => this.closeElement(localName(tag.name)));
  }

  private openElement(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.ended) return;
    if (this.stack.length === 0 && !/^(?:urlset|sitemapindex|rss|feed|rdf)$/.test(name)) this.ended = 'no_sitemap';
    this.hasRoot = true;
    if (this.stack.length >= DEPTH_MAX) this.ended = 'broken';
    const parent = this.stack.at(-1);
    this.stack.push(name);
    this.text = '';
    if (name === 'guid') this.isPermalink = attributes['isPermaLink'] !== 'false';
    const href = attributes['href'];
    if (name !== 'link' || href === undefined) return;
    const rel = attributes['rel'] ?? 'alternate';
    // Atom gives an entry's page as an attribute; a urlset names the translations of a page in the same way.
    if (parent === 'entry' && rel === 'alternate') this.location ??= href;
    else if (parent === 'url' && rel === 'alternate') this.add('page', href, undefined);
  }

  private addText(text: string): void {
    if (!this.ended && this.text.length <= URL_CHARS_MAX) this.text += text;
  }

  private closeElement(name: string): void {
    if (this.ended) return;
    this.stack.pop();
    const parent = this.stack.at(-1);
    if ((parent === 'url' || parent === 'sitemap') && name === 'loc') this.location ??= this.text;
    else if (parent === 'item' && name === 'link') this.location ??= this.text;
    // It is an address unless said otherwise, and seldom one all the same.
    else if (parent === 'item' && name === 'guid' && this.isPermalink && /^\s*https?:/i.test(this.text)) this.permalink ??= this.text;
    else if (/^(?:lastmod|updated|pubdate|date)$/.test(name)) this.modified ??= this.text.trim();
    if (/^(?:url|item|entry|sitemap)$/.test(name)) {
      const location = this.location ?? this.permalink;
      if (location !== undefined) this.add(name === 'sitemap' ? 'sitemap' : 'page', location, this.modified);
      this.location = undefined;
      this.permalink = undefined;
      this.modified = undefined;
    }
    this.text = '';
  }

  private addLine(line: string): void {
    if (/^\s*https?:\/\//i.test(line)) this.add('page', line, undefined);
  }

  private add(kind: SitemapEntry['kind'], address: string, lastModified: string | undefined): void {
    const trimmed = address.trim();
    const parsed = trimmed.length > URL_CHARS_MAX || trimmed === '' ? null : URL.parse(trimmed, this.url);
    if (this.ended || !parsed || !/^https?:$/.test(parsed.protocol)) return;
    parsed.hash = '';
    this.entries.push({ kind, url: parsed.href, lastModified });
    if (++this.count >= this.entriesMax) this.ended = 'too_many_entries';
  }
}

/**
 * Reads one sitemap from its bytes, which may be compressed with gzip whatever its name says. Yields batches of entries; returns how it
 * ended. Never throws for what is in the bytes.
 */
export async function* readSitemap(
  bytes: AsyncIterable<Uint8Array<ArrayBuffer>>,
  url: string,
  limits: SitemapLimits = {},
): AsyncGenerator<readonly SitemapEntry[], SitemapEnd> {
  const parser = new SitemapParser(url, limits.entriesMax);
  const decoder = new TextDecoder('utf-8');
  let count = 0;
  try {
    for await (const piece of inflate(bytes)) {
      count += piece.length;
      if (count > (limits.bytesMax ?? BYTES_MAX)) return 'too_large';
      const entries = parser.write(decoder.decode(piece, { stream: true }));
      if (entries.length > 0) yield entries;
      if (parser.ended) return parser.ended;
    }
  } catch {
    // A stream that breaks off, compressed or not: what came before it counts.
    return 'broken';
  }
  const rest = parser.end();
  if (rest.length > 0) yield rest;
  return parser.ended ?? 'complete';
}

/** The same bytes, decompressed when they begin as gzip does. */
async function* inflate(bytes: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const all = chain(first.value, iterator);
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield* all;
    return;
  }
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const next = await all.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
  });
  yield* source.pipeThrough(new DecompressionStream('gzip'));
}

async function* chain<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}
