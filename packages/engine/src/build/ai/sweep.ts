// The AI rung: a model looks through a site in a browser; what it was shown is evidence as that of a crawl, and ends in the same draft and proof.
import { PageError } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import type { Page } from '../../ports.ts';
import { SiteAsking } from '../asking/site-asking.ts';
import { findEndpoints } from '../evidence/endpoints.ts';
import type { Endpoint } from '../evidence/endpoints.ts';
import type { BrowserSession, CapturedRequest } from '../../run/session.ts';
import { EMPTY_CATALOGUE } from '../evidence/catalogue.ts';
import type { Parameter } from '../evidence/catalogue.ts';
import { Ids } from '../evidence/ids.ts';
import { idsIn } from '../evidence/merge.ts';
import type { PageEvidence } from '../evidence/read-evidence.ts';
import { findSearchForms } from '../evidence/search-forms.ts';
import { trySearches } from '../evidence/try-searches.ts';
import type { BuildPorts, SweepContext } from '../ports.ts';
import type { RungFinding } from '../rung.ts';
import { Collection } from '../rungs/collection.ts';
import { TOOL_NAMES } from './tools.ts';
import { walkSite } from './walk.ts';
import type { WalkEnd } from './walk.ts';
import { AI_TOKENS_MAX } from './walk-order.ts';
import type { WalkStep } from './walk-order.ts';

/** What the rung stands on beside what a build gives it. */
export interface SweepPorts {
  readonly model: Model;
  /** Takes values in use out of a text (D34). */
  readonly mask: (text: string) => string;
  /** A word that nobody can foresee, another one at each call. */
  readonly nonce: () => string;
}

const STEPS_MAX = 25;
const ACT_MS = 15_000;
/** Of each step, and of each document, in credits (D43). */
const STEP_PRICE = 1;
const DOCUMENT_PRICE = 0;

/** The rung, as a build asks for it. Robots rules are not asked: it goes as a person would (D30). */
export function createSweep(ports: SweepPorts): NonNullable<BuildPorts['sweep']> {
  return async (context, signal) => await new Sweep(context, ports, signal).run();
}

class Sweep {
  private readonly context: SweepContext;
  private readonly own: SweepPorts;
  private readonly signal: AbortSignal;
  private readonly asking: SiteAsking;
  private readonly pages = new Map<string, PageEvidence>();
  private readonly requests: CapturedRequest[] = [];
  private typed: WalkEnd['typed'] = [];

  constructor(context: SweepContext, own: SweepPorts, signal: AbortSignal) {
    this.context = context;
    this.own = own;
    this.signal = signal;
    const { options, ports } = context;
    const budget = { requestsMax: options.limits.pagesMax + STEPS_MAX, price: DOCUMENT_PRICE };
    this.asking = new SiteAsking({ ...options, respectRobots: false }, ports, budget);
  }

  async run(): Promise<RungFinding> {
    const session = await this.openSession();
    if (typeof session === 'string') return this.finding(session);
    let stopped: string | undefined;
    try {
      const end = await this.walk(session);
      this.typed = end.typed;
      stopped = end.stopped;
      // A model that never answered went nowhere: there is nothing that this rung has found.
      if (stopped !== undefined && end.steps.every(({ tool }) => tool === 'answer')) return this.finding(stopped);
    } catch (error) {
      if (!(error instanceof PageError) || error.next === 'stop') throw error;
      stopped = error.message;
    } finally {
      await session.close();
    }
    return await this.collect(stopped);
  }

  private async openSession(): Promise<BrowserSession | string> {
    try {
      return (await this.asking.openSession(this.signal)) ?? 'there is no browser for it.';
    } catch (error) {
      if (!(error instanceof PageError) || error.next === 'stop') throw error;
      return error.message;
    }
  }

  private async walk(session: BrowserSession): Promise<WalkEnd> {
    const { options, ports } = this.context;
    return await walkSite(
      {
        objective: options.objective,
        siteUrl: options.url,
        startUrl: options.url,
        tools: TOOL_NAMES,
        stepsMax: STEPS_MAX,
        tokensMax: AI_TOKENS_MAX,
        actTimeoutMs: ACT_MS,
      },
      {
        ...this.own,
        session,
        see: async (request, signal) => (await ports.views.run('sight', request, signal)).result,
        clock: ports.clock,
        spend: async () => !this.asking.isOver() && (await ports.spend(STEP_PRICE)),
        tell: async (step) => await this.tell(step),
        onPage: async (page) => await this.take(page, session),
      },
      this.signal,
    );
  }

  private async tell({ tool, on, outcome, reason, url }: WalkStep): Promise<void> {
    const message = `${tool}${on === '' ? '' : ` ${on}`}, ${outcome}${reason === undefined ? '' : `: ${reason}`}`;
    await this.context.ports.tell({ type: 'page', buildId: this.context.buildId, url, message });
  }

  /** Keeps what a page shows; the newest of each address. Throws PageError where something stands in front of it. */
  private async take({ url, body, contentType, status, headers, xhr }: Page, session: BrowserSession): Promise<void> {
    this.requests.push(...(await session.takeRequests({ timeoutMs: ACT_MS, signal: this.signal })));
    const source = { url, body, contentType, ...(xhr ? { xhr } : {}) };
    const { result } = await this.context.ports.views.run('evidence', { source, status, headers, isRendered: true }, this.signal);
    if (result.obstacle !== undefined)
      throw new PageError('blocked', `${url} shows something else in front of its page: ${result.obstacle}.`, { url, next: 'drop' });
    this.pages.set(url, result);
  }

  /** The catalogue of what was shown, with the searches of these pages tried as the crawl rungs try theirs. */
  private async collect(stopped: string | undefined): Promise<RungFinding> {
    const { options, ports, catalogue } = this.context;
    const ids = new Ids(idsIn(catalogue));
    const names = new Set(catalogue.candidates.map(({ name }) => name));
    const { objective } = options;
    const pages = [...this.pages.values()];
    const collection = new Collection({ objective, lane: 'browser', rung: 'ai', ids, names }, () => ports.clock.now());
    this.addEndpoints(collection, pages, ids);
    collection.addPages(pages);
    const { searches, others } = findSearchForms(pages);
    for (const { form, pageUrl, reason } of others) collection.addForm(form, pageUrl, reason);
    const rows = pages.flatMap(({ lists }) => lists[0]?.texts ?? []);
    const texts = pages.map(({ text }) => text);
    // What the model searched for with some result comes first: these are words that the site answers.
    const typed = [...new Set(this.typed.map(({ text }) => text))];
    const offered = searches.map((search) => ({ ...search, suggestions: [...typed, ...search.suggestions] }));
    const sayUnused = collection.addForm.bind(collection);
    const known = { rows, texts, objective, lane: 'browser' } as const;
    const trials = await trySearches(offered, known, this.asking, ids, sayUnused, this.signal);
    collection.addSearches(trials.map((trial) => ({ ...trial, input: withTyped(trial.input, typed) })));
    return { ...this.finding(stopped), catalogue: collection.catalogue() };
  }

  /** What scripts asked for while the model acted; where its words stand in what was sent, they are the input. */
  private addEndpoints(collection: Collection, pages: readonly PageEvidence[], ids: Ids): void {
    const words = this.typed.map(({ text }) => text);
    const endpoints = findEndpoints(this.requests, { ids, words, tokens: pages.flatMap(({ tokens }) => tokens) });
    const isAsked = ({ input }: Endpoint) => input !== undefined;
    collection.addEndpoints(endpoints.filter(isAsked), pages, this.typed[0]?.url ?? this.context.options.url);
    collection.addEndpoints(
      endpoints.filter((each) => !isAsked(each)),
      pages,
    );
  }

  private finding(stopped: string | undefined): RungFinding {
    return {
      catalogue: EMPTY_CATALOGUE,
      counts: { pages: this.pages.size, requests: this.asking.requests, shells: 0 },
      isRefused: false,
      ...(stopped === undefined ? {} : { stopped: sentenceEnd(stopped) }),
      ...(this.pages.size === 0 && stopped !== undefined ? { failure: stopped } : {}),
    };
  }
}

/** Examples that the model typed are what was sent, and no choice that the site offers. */
function withTyped(input: Parameter, typed: readonly string[]): Parameter {
  const examples = input.examples.map((each) => (typed.includes(each.value) ? { ...each, seenIn: 'request' as const } : each));
  return { ...input, examples };
}

/** A sentence as the end of another. */
function sentenceEnd(text: string): string {
  return text.replace(/\.$/, '').replace(/^(It|Its|The) /, (word) => word.toLowerCase());
}
