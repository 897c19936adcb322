// Puts together what a crawl rung saw of a site as a catalogue: forms, listings, states, kinds of pages, and the candidates made of them.
import type { Lane } from '../../ports.ts';
import { findAct } from '../../url/acts.ts';
import type { Row } from '../../run/reading/rows.ts';
import { findAddressTemplates } from '../evidence/address-templates.ts';
import type { AddressTemplate } from '../evidence/address-templates.ts';
import type {
  Candidate,
  Catalogue,
  DetailEvidence,
  EvidenceId,
  EndpointEvidence,
  FormEvidence,
  RequestEvidence,
  ListingEvidence,
  PagingEvidence,
  Provenance,
  StateEvidence,
  TokenEvidence,
} from '../evidence/catalogue.ts';
import { candidateOfDetail } from '../details/find-details.ts';
import { candidateOfJsonDetail } from '../details/json-details.ts';
import type { JsonDetail } from '../details/json-details.ts';
import { asksForOne } from '../details/thing.ts';
import type { FoundDetail } from '../details/find-details.ts';
import { EMPTY_CATALOGUE } from '../evidence/catalogue.ts';
import type { Ids } from '../evidence/ids.ts';
import type { SiteAsking } from '../asking/site-asking.ts';
import type { Endpoint } from '../evidence/endpoints.ts';
import { candidateOfEndpoint, candidateOfList, candidateOfTyped, candidatesOfSearch } from '../evidence/make-candidates.ts';
import { wordsOfList } from '../evidence/frame-lists.ts';
import { isTelling } from '../evidence/titles.ts';
import { listsThatChange } from '../evidence/changing-lists.ts';
import type { TypedSearch } from '../evidence/typed-search.ts';
import { shownShare } from '../evidence/shown-share.ts';
import type { MakingContext } from '../evidence/make-candidates.ts';
import type { FoundList, PageEvidence } from '../evidence/read-evidence.ts';
import { asksAlike, differenceOf } from '../evidence/search-forms.ts';
import type { SearchForm } from '../evidence/search-forms.ts';
import { isSameSearch } from '../evidence/try-search.ts';
import type { SearchTrial } from '../evidence/try-search.ts';
import type { Rung } from '../ladder.ts';

const LIST_CANDIDATES_MAX = 8;
const LISTINGS_A_PAGE = 3;
const ENDPOINTS_MAX = 10;
const JSON_DETAILS_MAX = 4;
const ROWS_MIN = 3;
const NAMED_BONUS = 0.2;
/** Lists with fewer fields in common are no list of one template. */
const SAME_FIELDS_MIN = 0.6;
/** A page that some lists stand on is about none of them where its best one scores less: the score of three bare links. */
const LIST_SCORE_MIN = 0;

/** Gathers one rung's evidence. */
export class Collection {
  private readonly forms: FormEvidence[] = [];
  private readonly listings: ListingEvidence[] = [];
  private readonly states: StateEvidence[] = [];
  private readonly details: DetailEvidence[] = [];
  private readonly paging: PagingEvidence[] = [];
  private readonly tokens: TokenEvidence[] = [];
  private readonly requests: RequestEvidence[] = [];
  private readonly endpoints: EndpointEvidence[] = [];
  private readonly candidates: Candidate[] = [];
  private readonly context: MakingContext;
  private readonly rung: Rung;
  private readonly nowMs: () => number;

  constructor(
    context: { readonly objective: string; readonly ids: Ids; readonly lane: Lane; readonly rung: Rung; readonly names: Set<string> },
    nowMs: () => number,
  ) {
    this.context = context;
    this.rung = context.rung;
    this.nowMs = nowMs;
  }

  /** A form that no function is made of, and why. */
  addForm(form: SearchForm['form'], pageUrl: string, unused: string): void {
    this.forms.push({ id: this.context.ids.next('F'), kind: 'form', provenance: this.at(pageUrl), form, unused });
  }

  /** Searches that gave lists. One that answers as another does is that one; what else differs by hidden fields alone is told apart by them. */
  addSearches(trials: readonly SearchTrial[]): void {
    const searches: { readonly formId: EvidenceId; readonly trial: SearchTrial }[] = [];
    for (const trial of trials) {
      const { form, pageUrl } = trial.search;
      const twin = searches.find((other) => isSameSearch(trial, other.trial));
      if (twin) {
        this.addForm(form, pageUrl, `It differs from ${twin.formId} by hidden fields alone, and answers as that does.`);
        continue;
      }
      const formId = this.context.ids.next('F');
      searches.push({ formId, trial });
      this.forms.push({ id: formId, kind: 'form', provenance: this.at(pageUrl), form });
    }
    for (const { formId, trial } of searches) {
      const alike = searches.map((other) => other.trial.search).filter((other) => asksAlike(trial.search, other));
      this.addSearch(trial, formId, differenceOf(trial.search, alike));
    }
  }

  private addSearch(trial: SearchTrial, formId: EvidenceId, apart: string): void {
    const { pageUrl } = trial.search;
    if (trial.hasToken)
      this.tokens.push({ id: this.context.ids.next('T'), provenance: this.at(pageUrl), kind: 'token', name: 'field', place: 'form' });
    const made = trial.lists.flatMap((list) => {
      const listing = this.addListing(trial.page, list);
      return candidatesOfSearch({ ...trial, lists: [list] }, apart, [formId, listing], this.at(pageUrl), this.context);
    });
    this.candidates.push(...made);
  }

  /** Requests of scripts that answer lists. `pages` are those that may show their rows; `foundAt` is where words were typed. */
  addEndpoints(endpoints: readonly Endpoint[], pages: readonly PageEvidence[], foundAt?: string, via: Provenance['via'] = 'crawl'): void {
    for (const endpoint of endpoints.slice(0, ENDPOINTS_MAX)) {
      const { request, list, hasToken } = endpoint;
      const provenance = { ...this.at(foundAt ?? request.pageUrl), via, atMs: request.atMs };
      const requestId = this.context.ids.next('R');
      const { method, url, headers, body, status } = request;
      const sent = body === undefined ? {} : { body };
      this.requests.push({ id: requestId, kind: 'request', provenance, method, url, headerNames: Object.keys(headers), status, ...sent });
      const id = this.context.ids.next('J');
      const fields = list.fields.map(({ name }) => name);
      this.endpoints.push({
        id,
        kind: 'endpoint',
        provenance,
        request: requestId,
        path: list.place?.path ?? '$',
        rows: list.count,
        fields,
      });
      if (hasToken) this.tokens.push({ id: this.context.ids.next('T'), kind: 'token', provenance, name: 'meta', place: 'meta' });
      this.candidates.push(candidateOfEndpoint(endpoint, shownShare(list, pages), pages[0], [requestId, id], provenance, this.context));
    }
  }

  /** A search whose words were typed, where its page shows another list for each. */
  async addTypedSearch(typed: TypedSearch, asking: SiteAsking, signal: AbortSignal): Promise<void> {
    const lists = await listsThatChange(typed, asking, signal);
    for (const list of lists) {
      const listing = this.addListing(typed.first.page, list);
      this.candidates.push(candidateOfTyped(typed, list, [listing], this.at(typed.page.url), this.context));
    }
  }

  /** The lists, states and kinds of addresses of the pages that were walked. */
  addPages(pages: readonly PageEvidence[]): void {
    // A part of an address that acts would be tried as a value like any other.
    const links = pages.flatMap((page) => page.links.map(({ url }) => url)).filter((url) => findAct(url) === undefined);
    const templates = findAddressTemplates(links);
    for (const page of pages) for (const { name, path, rows } of page.states) this.addState(page, name, path, rows);
    // Where a list goes on, it is the same list.
    const further = new Set(pages.flatMap(({ onward, url }) => (onward === undefined || onward === url ? [] : [onward])));
    const listed = pages.filter(({ url }, place) => place === 0 || !further.has(url)).flatMap((page) => this.bestList(page));
    const made = new Set<string>();
    // In a browser, what a script was answered with comes before what it shows of that.
    const isNamed = this.context.lane === 'http' && !asksForOne(this.context.objective);
    const add = (page: PageEvidence, list: FoundList, listing: EvidenceId, template: AddressTemplate | undefined) =>
      this.candidates.push(
        named(candidateOfList(page, list, template, [listing], this.at(page.url), this.context), isNamed && page === pages[0] && !template),
      );
    for (const { page, list, listing } of listed) {
      const template = templates.find((each) => isOf(each, page.url) && listed.filter((other) => isTwin(each, list, other)).length >= 2);
      const keys = [`${keyOf(list)} ${template?.template ?? page.url}`, keyOf(list) + shapeOf(page.url), wordsOfList(list)];
      if (keys.some((key) => made.has(key)) || made.size >= LIST_CANDIDATES_MAX * 3) continue;
      for (const key of keys) made.add(key);
      if (template) add(page, list, listing, template);
      // The page alone is what is left where its kind turns out to be none.
      add(page, list, listing, undefined);
    }
    this.addLinked(
      templates,
      listed.map(({ list }) => list),
    );
  }

  /** Kinds of pages that were read as records. */
  addDetails(found: readonly FoundDetail[]): void {
    for (const each of found) {
      const { template, drafted, pages, from } = each;
      const id = this.context.ids.next('D');
      const listing = this.listings.find(({ provenance }) => provenance.url === from.url)?.id;
      this.details.push({
        id,
        kind: 'detail',
        provenance: this.at(from.url),
        template: template.template,
        examples: drafted,
        fields: pages.fields.map(({ name }) => name),
      });
      const made = listing === undefined ? [id] : [id, listing];
      this.candidates.push(candidateOfDetail(each, this.context.lane, made, this.at(from.url), this.context));
    }
  }

  /** Kinds of records that scripts ask for one at a time. */
  addJsonDetails(found: readonly JsonDetail[]): void {
    for (const each of found.slice(0, JSON_DETAILS_MAX)) {
      const [request] = each.requests;
      if (!request) continue;
      const provenance = { ...this.at(request.pageUrl), atMs: request.atMs };
      const id = this.context.ids.next('R');
      const { method, url, headers, status } = request;
      this.requests.push({ id, kind: 'request', provenance, method, url, headerNames: Object.keys(headers), status });
      this.candidates.push(candidateOfJsonDetail(each, [id], provenance, this.context));
    }
  }

  /** All of it, candidates best first. */
  catalogue(): Catalogue {
    const rank = ({ kind }: Candidate) => (kind === 'search' ? 0 : kind === 'list' ? 1 : 2);
    return {
      ...EMPTY_CATALOGUE,
      forms: this.forms,
      requests: this.requests,
      endpoints: this.endpoints,
      listings: this.listings,
      states: this.states,
      details: this.details,
      paging: this.paging,
      tokens: this.tokens,
      candidates: this.candidates.toSorted((a, b) => b.match - a.match || rank(a) - rank(b)),
    };
  }

  private bestList(page: PageEvidence) {
    const lists = page.lists.filter((list) => list.count >= ROWS_MIN && isTelling(list));
    const [best, ...others] = lists.filter(({ wrapper, place, score }) => (wrapper ?? place) !== undefined && score > LIST_SCORE_MIN);
    for (const other of others.slice(0, LISTINGS_A_PAGE - 1)) this.addListing(page, other, 'Another list of its page says more.');
    if (!best) return [];
    return [{ page, list: best, listing: this.addListing(page, best) }];
  }

  private addListing(page: PageEvidence, list: FoundList, unused?: string): EvidenceId {
    const id = this.context.ids.next('L');
    const { source, score, count, fields, texts } = list;
    this.listings.push({
      id,
      kind: 'listing',
      provenance: this.at(page.url),
      source,
      title: page.title.slice(0, 200),
      score: Math.round(score * 100) / 100,
      rows: count,
      fields: fields.map(({ name }) => name),
      samples: texts.slice(0, 3).map((text) => text.slice(0, 200)),
      ...(unused === undefined ? {} : { unused }),
    });
    if (page.onward !== undefined && unused === undefined)
      this.paging.push({
        id: this.context.ids.next('N'),
        kind: 'paging',
        provenance: this.at(page.url),
        of: id,
        mode: 'next_link',
        nextUrl: page.onward,
      });
    return id;
  }

  private addState(page: PageEvidence, name: string, path: string | undefined, rows: number): void {
    this.states.push({
      id: this.context.ids.next('E'),
      kind: 'state',
      provenance: this.at(page.url),
      name,
      rows,
      ...(path === undefined ? { unused: 'It holds no list.' } : { path }),
    });
  }

  /** Kinds of pages that lists lead to. */
  private addLinked(templates: readonly AddressTemplate[], lists: readonly FoundList[]): void {
    const linked = new Set(lists.flatMap(({ rows, fields }) => rows.flatMap((row) => addressesIn(row, fields))));
    for (const { template, values } of templates.slice(0, 20)) {
      const urls = values.map((value) => template.replace('{}', encodeURIComponent(value)));
      if (!urls.some((url) => linked.has(url))) continue;
      this.details.push({
        id: this.context.ids.next('D'),
        kind: 'detail',
        provenance: this.at(urls[0] ?? template),
        template,
        examples: urls.slice(0, 5),
        fields: [],
        unused: 'Its pages were not read as records: others came first, or too little differs between them.',
      });
    }
  }

  private at(url: string): Provenance {
    return { via: 'crawl', rung: this.rung, lane: this.context.lane, url, atMs: this.nowMs() };
  }
}

function isOf({ template }: AddressTemplate, url: string): boolean {
  const [head = '', tail = ''] = template.split('{}');
  const between = url.slice(head.length, url.length - tail.length);
  return url.startsWith(head) && url.endsWith(tail) && between !== '' && !between.includes('/') && !/^\d{1,3}$/.test(between);
}

/** A list that fits, of the page that somebody has named, is what they mean. */
function named(candidate: Candidate, isNamed: boolean): Candidate {
  return isNamed && candidate.match > 0 ? { ...candidate, match: Math.min(1, candidate.match + NAMED_BONUS) } : candidate;
}

/** True for the list of another page of the template that has the same fields. */
function isTwin(
  template: AddressTemplate,
  { fields }: FoundList,
  other: { readonly page: PageEvidence; readonly list: FoundList },
): boolean {
  const names = new Set(fields.map(({ name }) => name));
  const shared = other.list.fields.filter(({ name }) => names.has(name)).length;
  return isOf(template, other.page.url) && shared >= Math.max(fields.length, other.list.fields.length) * SAME_FIELDS_MIN;
}

/** Lists of one template have one key. */
function keyOf({ wrapper, place }: FoundList): string {
  return wrapper
    ? `${wrapper.selectors[0]?.css ?? ''} ${wrapper.template.tag} ${wrapper.template.classes.join('.')}`
    : `${place?.from ?? ''} ${place?.path ?? ''}`;
}

function shapeOf(url: string): string {
  const { pathname = '' } = URL.parse(url) ?? {};
  return pathname.split('/').slice(0, -1).join('/').replaceAll(/\d+/g, '0');
}

function addressesIn(row: Row, fields: FoundList['fields']): readonly string[] {
  return fields.flatMap(({ name, type }) => (type === 'url' && typeof row[name] === 'string' ? [row[name]] : []));
}
