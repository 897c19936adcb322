// A list that goes on over several pages, read for a caller who stays for it; nothing is kept.
import { PageError } from '../errors.ts';
import type { ListMemory, ListPage } from '../page/paged-list.ts';
import type { ViewReader } from '../page/view-work.ts';
import type { FieldSpec, PlainList, RecordItem } from '../records/list.ts';
import { decideRobots } from '../robots/decide.ts';
import { dedupeKey } from '../url/dedupe-key.ts';
import { fetchPart } from './extract-parts.ts';
import type { FetchedSource, PageParts } from './extract-parts.ts';
import { askForOneWhoStays } from './hosts/paced-fetcher.ts';
import type { AskingPorts } from './hosts/paced-fetcher.ts';
import { ListItems } from './list-items.ts';

/** How a list is read. */
export interface ListRequest {
  /** How many pages at most. */
  readonly pages: number;
  /** Names of fields that tell an item from all others; without them the whole item does. */
  readonly key: readonly string[];
  readonly includeHidden: boolean;
}

/** Why no further page was read. */
export type ListEnd = 'last_page' | 'button' | 'nothing_new' | 'no_list' | 'pages' | 'items' | 'time' | 'robots' | 'failed';

/** What was read of a list, and why not more. */
export interface ListReport {
  /** Pages that were read. */
  readonly read: number;
  readonly end: ListEnd;
  /** One sentence that says the same. */
  readonly says: string;
  /** Where the list goes on, unless it was read to its end. */
  readonly next?: string;
  /** Items that were left out because they had come before. */
  readonly repeated: number;
}

/** The one list of all pages, and how far it was read. */
export type ListParts = PageParts & { readonly lists: readonly PlainList[]; readonly pages: ListReport };

/** No page is begun later than this: clients give an answer five minutes to begin, and a page may wait a minute for its turn. */
const TIME_MS = 180_000;
/** What is held and sent at once. */
const ITEMS_MAX = 100_000;

type Ports = AskingPorts & { readonly views: ViewReader };

/** The list that begins at `from`, read page after page. Throws PageError where its first page can't be had or read. */
export async function extractList(
  from: FetchedSource,
  request: ListRequest,
  ports: Ports,
  caller: string,
  signal: AbortSignal,
): Promise<ListParts> {
  const reading = new ListReading(from, request, ports, caller, signal);
  const { known, title } = await reading.first();
  const report = await reading.rest();
  return { ...known, ...(title === undefined ? {} : { title }), lists: reading.lists(), pages: report };
}

class ListReading {
  private readonly from: FetchedSource;
  private readonly request: ListRequest;
  private readonly ports: Ports;
  private readonly caller: string;
  private readonly signal: AbortSignal;
  private readonly untilMs: number;
  private readonly items: ListItems;
  private readonly seen = new Set<string>();
  private head: PlainList | undefined;
  private memory: ListMemory | undefined;
  private onward: string | undefined;
  private button: string | undefined;
  private read = 0;

  constructor(from: FetchedSource, request: ListRequest, ports: Ports, caller: string, signal: AbortSignal) {
    this.from = from;
    this.request = request;
    this.ports = ports;
    this.caller = caller;
    this.signal = signal;
    this.untilMs = ports.clock.steadyMs() + TIME_MS;
    this.items = new ListItems(request.key);
  }

  async first(): Promise<{ readonly known: PageParts; readonly title: string | undefined }> {
    const { known, result } = await this.page(this.from.url);
    this.head = result.paged?.list;
    return { known, title: result.title };
  }

  /** Turns pages until one of the reasons to stop holds. */
  async rest(): Promise<ListReport> {
    if (!this.head) return this.report('no_list', `${this.from.url} shows no list.`);
    for (;;) {
      const url = this.onward;
      if (url === undefined || this.seen.has(dedupeKey(url))) return this.report(...this.lastPage());
      const stop = this.limitReached() ?? (await this.refusal(url));
      if (stop) return this.report(...stop, url);
      try {
        const { known, added, result } = await this.page(url);
        if (!result.paged?.list && this.isAnswered) return this.report(...this.lastPage());
        if (!result.paged?.list) return this.report('no_list', `${known.url} does not show the list any more.`);
        if (added === 0) return this.report('nothing_new', `${known.url} brought nothing new.`);
      } catch (error) {
        if (!(error instanceof PageError) || this.signal.aborted) throw error;
        if (this.isAnswered && error.status === 404) return this.report(...this.lastPage());
        return this.report('failed', `${url} could not be read. ${error.message}`, url);
      }
    }
  }

  /** The list of all pages; none where the first page shows none. */
  lists(): readonly PlainList[] {
    if (!this.head) return [];
    return [{ ...this.head, fields: this.fields(), items: this.items.all }];
  }

  private fields(): readonly FieldSpec[] {
    return this.memory?.fields ?? this.head?.fields ?? [];
  }

  /** Whether pages are answers to what a script of the first one asked for. An answer that is empty or not found is behind the last one. */
  private get isAnswered(): boolean {
    return this.memory?.answered !== undefined;
  }

  private lastPage(): readonly [ListEnd, string] {
    if (this.button === undefined) return ['last_page', 'That is the last page.'];
    return ['button', `The page has a button "${this.button}", which leads to no address; what it shows was not read.`];
  }

  private async page(url: string) {
    const lane = this.isAnswered ? 'http' : this.from.lane;
    const { source, known } = await fetchPart({ ...this.from, url, lane }, this.ports, this.signal);
    const { includeHidden } = this.request;
    const paged = this.memory ? { memory: this.memory } : {};
    const { result } = await this.ports.views.run('select', { source, parts: [], includeHidden, paged }, this.signal, this.caller);
    for (const address of [url, known.url]) this.seen.add(dedupeKey(address));
    this.read++;
    return { known, result, added: this.take(result.paged ?? {}) };
  }

  /** Takes over what the page brought; how many items were new. */
  private take({ list, memory, onward, button }: ListPage): number {
    this.memory = memory ?? this.memory;
    this.onward = onward;
    this.button = button;
    return this.items.add((list?.items ?? []) as readonly RecordItem[]);
  }

  private limitReached(): readonly [ListEnd, string] | undefined {
    const { pages } = this.request;
    if (this.read >= pages) return ['pages', `The list goes on; ${pages === 1 ? 'one page was' : `${pages} pages were`} asked for.`];
    if (this.items.all.length >= ITEMS_MAX)
      return ['items', `The list goes on; an answer holds ${ITEMS_MAX} items, a crawl has no such limit.`];
    if (this.ports.clock.steadyMs() >= this.untilMs)
      return ['time', `The list goes on; an answer takes ${TIME_MS / 1000} seconds at most.`];
    return undefined;
  }

  /** Only the page that was named is read whatever robots.txt says (D30). */
  private async refusal(url: string): Promise<readonly [ListEnd, string] | undefined> {
    const { robots } = askForOneWhoStays(this.ports, this.from.privateTargets);
    const rules = await robots.rulesFor(new URL(url).origin, this.signal);
    this.signal.throwIfAborted();
    if (rules.unasked) return ['robots', `The robots.txt of ${new URL(url).host} could not be read: ${rules.unasked.message}`];
    const { allowed, rule } = decideRobots(rules, this.ports.agent, url);
    return allowed ? undefined : ['robots', `robots.txt forbids ${url}: ${rule ?? 'it could not be read'}.`];
  }

  private report(end: ListEnd, says: string, next?: string): ListReport {
    return { read: this.read, end, says, ...(next === undefined ? {} : { next }), repeated: this.items.repeated };
  }
}
