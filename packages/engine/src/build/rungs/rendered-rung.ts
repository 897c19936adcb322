// The second rung: the same site as a browser shows it, and the requests that its scripts send.
import { PageError } from '../../errors.ts';
import type { BrowserSession, CapturedRequest } from '../../run/session.ts';
import { SiteAsking } from '../asking/site-asking.ts';
import { findJsonDetails } from '../details/json-details.ts';
import { withoutFrames } from '../evidence/frame-lists.ts';
import { findEndpoints, titlesAnswered } from '../evidence/endpoints.ts';
import type { AnsweredWord } from '../evidence/changing-lists.ts';
import type { PageEvidence, SearchControl } from '../evidence/read-evidence.ts';
import { titlesOf } from '../evidence/titles.ts';
import { walkSite } from '../evidence/site-walk.ts';
import type { Walked } from '../evidence/site-walk.ts';
import { fold, objectiveWords, searchWords } from '../evidence/words.ts';
import type { BuildOptions } from '../options.ts';
import type { BuildPorts } from '../ports.ts';
import type { RungFinding } from '../rung.ts';
import { Collection } from './collection.ts';
import { findingOf, refused, requireContent } from './static-rung.ts';
import type { RungContext } from './static-rung.ts';
import { EMPTY_CATALOGUE } from '../evidence/catalogue.ts';

const PRICE = 2;
const WALK_SHARE = 0.4;
const CONTROLS_MAX = 2;
const WORDS_TRIED_MAX = 4;
const STEP_MS = 20_000;
/** A page is left to show what was asked for. */
const SHOWN_MS = 700;

/** One word typed into a control, and what showed. */
interface Typed extends AnsweredWord {
  readonly requests: readonly CapturedRequest[];
}

/** Climbs the rendered rung. Throws PageError `aborted`. */
export async function climbRendered(
  options: BuildOptions,
  ports: BuildPorts,
  context: RungContext,
  signal: AbortSignal,
): Promise<RungFinding> {
  const asking = new SiteAsking(options, ports, { requestsMax: options.limits.pagesMax, price: PRICE });
  const permission = await asking.permissionFor(options.url, signal);
  if (!permission.allowed) return refused(permission.rule);
  const session = await openSession(asking, signal);
  if (typeof session === 'string')
    return { catalogue: EMPTY_CATALOGUE, counts: { pages: 0, requests: 0, shells: 0 }, isRefused: false, failure: session };
  try {
    return await new RenderedRung(options, asking, session, context, signal).climb();
  } finally {
    await session.close();
  }
}

async function openSession(asking: SiteAsking, signal: AbortSignal): Promise<BrowserSession | string> {
  try {
    return (await asking.openSession(signal)) ?? 'There is no browser here.';
  } catch (error) {
    if (error instanceof PageError && error.next !== 'stop') return error.message;
    throw error;
  }
}

class RenderedRung {
  private readonly options: BuildOptions;
  private readonly asking: SiteAsking;
  private readonly session: BrowserSession;
  private readonly context: RungContext;
  private readonly signal: AbortSignal;
  private readonly requests: CapturedRequest[] = [];
  private readonly collection: Collection;

  constructor(options: BuildOptions, asking: SiteAsking, session: BrowserSession, context: RungContext, signal: AbortSignal) {
    this.options = options;
    this.asking = asking;
    this.session = session;
    this.context = context;
    this.signal = signal;
    const { clock } = asking.ports;
    this.collection = new Collection({ objective: options.objective, lane: 'browser', rung: 'rendered', ...context }, () => clock.now());
  }

  async climb(): Promise<RungFinding> {
    const { url: start, objective, limits } = this.options;
    const pagesMax = Math.max(1, Math.floor(limits.pagesMax * WALK_SHARE));
    const walked = await walkSite({ start, objective, pagesMax, keepsRoutes: true }, (url) => this.bring(url));
    const tokens = walked.pages.flatMap((page) => page.tokens);
    // What was asked for before any word was typed is no search, be it at the address of one.
    const walkedRequests = [...this.requests];
    await this.searchAll(walked, tokens);
    const plain = findEndpoints(walkedRequests, { ids: this.context.ids, words: [], tokens });
    this.collection.addEndpoints(plain, walked.pages);
    this.collection.addPages(withoutFrames(walked.pages));
    this.collection.addJsonDetails(findJsonDetails(this.requests, plain));
    return findingOf(walked, this.collection, this.asking);
  }

  /** Opens a page, scrolls it to its end once, and keeps what its scripts asked for. */
  private async bring(url: string): Promise<PageEvidence> {
    this.requireBudget(url);
    const bounds = this.bounds();
    await this.session.navigate(url, { waitUntil: 'networkidle' }, bounds);
    await this.session.scroll(undefined, {}, bounds);
    const { page } = await this.look();
    await this.asking.ports.tell({ type: 'page', buildId: this.context.buildId, url, status: page.status });
    requireContent(page);
    return page;
  }

  private requireBudget(url: string): void {
    if (this.asking.isSpent || this.asking.isOver())
      throw new PageError('rate_limited', `${url} is not asked for: the budget is spent.`, { url, next: 'drop' });
  }

  private async look(): Promise<Omit<Typed, 'word'>> {
    const { clock, views } = this.asking.ports;
    await clock.sleepUntil(clock.steadyMs() + SHOWN_MS, this.signal);
    const page = await this.session.read(this.bounds());
    const requests = await this.session.takeRequests(this.bounds());
    this.requests.push(...requests);
    const request = { source: page, status: page.status, headers: page.headers, isRendered: true };
    const { result } = await views.run('evidence', request, this.signal);
    return { page: result, answer: page, requests };
  }

  /** Types words into the search controls of the pages. */
  private async searchAll({ pages }: Walked, tokens: PageEvidence['tokens']): Promise<void> {
    const seen = new Set<string>();
    for (const page of pages) {
      for (const control of page.controls) {
        const key = `${control.name} ${control.label}`;
        if (seen.has(key) || seen.size >= CONTROLS_MAX || this.asking.isSpent) continue;
        seen.add(key);
        await this.search(page, control, pages, tokens);
      }
    }
  }

  private async search(
    page: PageEvidence,
    control: SearchControl,
    pages: readonly PageEvidence[],
    tokens: PageEvidence['tokens'],
  ): Promise<void> {
    const typed: Typed[] = [];
    const sentTo = postedBy(page, control);
    this.asking.allowSearch({
      kind: 'control',
      pageUrl: page.url,
      selector: control.selector,
      parameter: '',
      ...(sentTo === undefined ? {} : { sentTo }),
    });
    const rows = pages.flatMap(({ lists }) => lists.slice(0, 1).flatMap(titlesOf));
    const tried = new Set<string>();
    for (let tries = 0; tries < WORDS_TRIED_MAX && typed.length < 2; tries++) {
      const word = wordFor(page, control, [...rows, ...typed.flatMap(titlesShown)], this.options, tried);
      if (word === undefined) break;
      tried.add(word);
      const answer = await this.type(page.url, control, word);
      if (answer && isAnswered(answer)) typed.push(answer);
    }
    const [first, second] = typed;
    if (!first || !second) return;
    const words = [first.word, second.word, ...searchWords([...rows, ...typed.flatMap(titlesShown)], [...tried]).slice(0, 4)];
    const requests = typed.flatMap((each) => each.requests);
    const endpoints = findEndpoints(requests, { ids: this.context.ids, words, tokens }).filter(({ input }) => input !== undefined);
    this.collection.addEndpoints(endpoints, [first.page], page.url);
    const unknown = await this.type(page.url, control, this.asking.ports.nonsense());
    await this.collection.addTypedSearch({ page, control, sentTo, words, first, second, unknown }, this.asking, this.signal);
  }

  private async type(url: string, { selector }: SearchControl, word: string): Promise<Typed | undefined> {
    try {
      this.requireBudget(url);
      await this.session.navigate(url, { waitUntil: 'networkidle' }, this.bounds());
      await this.session.takeRequests(this.bounds());
      await this.session.change({ selectors: [selector] }, word, {}, this.bounds());
      await this.session.keyDown('Enter', this.bounds());
      await this.session.keyUp('Enter', this.bounds());
      return { word, ...(await this.look()) };
    } catch (error) {
      if (error instanceof PageError && error.next !== 'stop') return undefined;
      throw error;
    }
  }

  private bounds() {
    return { timeoutMs: STEP_MS, signal: this.signal };
  }
}

/** Words that a person typed while they were recorded; an address of theirs, or what a run fills in, is none. */
function wordsRecorded({ recording = [] }: BuildOptions): readonly string[] {
  const typed = recording.flatMap((step) => (step.type === 'change' ? [step.value] : []));
  return typed.filter((value) => /^[\p{L}\p{N} '-]{2,60}$/u.test(value) && /\p{L}{2}/u.test(value));
}

/** Where a search in which `control` stands is sent by POST. */
function postedBy({ forms }: PageEvidence, control: SearchControl): string | undefined {
  return forms.find(({ type, method, selector }) => type === 'search' && method === 'post' && selector === control.form)?.action;
}

function wordFor(
  page: PageEvidence,
  { name }: SearchControl,
  rows: readonly string[],
  options: BuildOptions,
  tried: ReadonlySet<string>,
): string | undefined {
  const offered = [...wordsRecorded(options), ...(page.suggestions[name] ?? [])];
  const all = [...offered, ...searchWords(rows, [...tried]), ...searchWords(rows), ...objectiveWords(options.objective)];
  return all.find((word) => !tried.has(word));
}

/** True where rows speak of the word, on the page or in what its scripts asked for. */
function isAnswered({ word, page, requests }: Typed): boolean {
  const texts = [...page.lists.flatMap((list) => list.texts), ...requests.map(({ json }) => JSON.stringify(json) ?? '')];
  return texts.some((text) => fold(text).includes(fold(word)));
}

/** What the rows are called that a word showed, on the page and in what its scripts asked for. */
function titlesShown({ page, requests }: Typed): readonly string[] {
  const answered = titlesAnswered(requests);
  return answered.length > 0 ? answered : page.lists.slice(0, 1).flatMap(titlesOf);
}
