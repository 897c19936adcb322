// Extraction: parts of one page, read and answered at once; nothing is kept.
import type { ExtraTable, Input, ReplyOf, Send } from '@weft/contract';
import { AppError, EXTRACT_PARTS, EXTRACT_SELECTORS } from '@weft/contract';
import { PageError, cookiesOf, extractList, extractParts, failureOfPage, sendingFetcher } from '@weft/engine';
import type { AskingPorts, PageParts, PartsSource, ViewReader } from '@weft/engine';
import type { Actor } from '@weft/serve';
import { createCookieStore } from '@weft/engine/io';
import { privateTargetsOf } from '../auth/private-targets.ts';
import { checkSend, requireProxy } from '../crawl/sent.ts';
import type { LogFailure } from '../group.ts';

type ExtractRequest = Input<ExtraTable['extract']['run']>['body'];
type Extracted = ReplyOf<ExtraTable['extract']['run']>['body'];

export interface Extractions {
  /** The parts of a page; one that can't be had or read has a `failure`. Throws AppError `bad_request` for a wrong selector. */
  run(request: ExtractRequest, actor: Actor, signal: AbortSignal): Promise<Extracted>;
}

/** What `html` without an address is read as. */
const NOWHERE = 'https://page.invalid/';

type Ports = AskingPorts & { readonly views: ViewReader; readonly logFailure: LogFailure };

/** `proxies` are those that the settings name. */
export function createExtractions(given: Ports, proxies: Readonly<Record<string, unknown>>): Extractions {
  return {
    async run(request, actor, signal) {
      const from = sourceOf(request, actor);
      const { send } = request;
      if (send) checkSend(send, { lane: request.lane, isOnePage: request.pages === undefined }, actor);
      requireProxy(request.proxy, proxies);
      const ports = send ? sendingPorts(given, send, from.url) : given;
      const { pages, key = [], include_hidden: includeHidden = false } = request;
      try {
        if (pages !== undefined && 'lane' in from)
          return toAnswer(await extractList(from, { pages, key, includeHidden }, ports, actor.id, signal));
        const parts = EXTRACT_PARTS.filter((part) => request[part] === true);
        const selector = selectorOf(request);
        const asked = { ...(selector === undefined ? {} : { selector }), parts, includeHidden };
        return toAnswer(await extractParts(from, asked, ports, actor.id, signal));
      } catch (error) {
        if (!(error instanceof PageError)) throw error;
        if (error.code === 'selector') throw new AppError('bad_request', error.message);
        const failure = failureOfPage(error);
        given.logFailure({ of: from.url, kind: 'extract' }, failure);
        return { url: from.url, failure };
      }
    },
  };
}

/** The same ports, with a fetcher that sends what the caller gave. */
function sendingPorts(ports: Ports, send: Send, url: string): Ports {
  return { ...ports, fetcher: sendingFetcher(ports, send, url, createCookieStore(cookiesOf(send, url))) };
}

function toAnswer({
  matches,
  lists,
  forms,
  robots,
  paged: _paged,
  ...rest
}: PageParts & { readonly pages?: Extracted['pages'] }): Extracted {
  return {
    ...rest,
    ...(robots ? { robots: { allowed: robots.allowed, ...(robots.rule === undefined ? {} : { rule: robots.rule }) } } : {}),
    ...(matches ? { matches: [...matches] } : {}),
    ...(lists ? { lists: [...lists] } : {}),
    ...(forms ? { forms: [...forms] } : {}),
  };
}

function sourceOf({ html, url, base_url, lane = 'auto', proxy }: ExtractRequest, actor: Actor): PartsSource {
  if (html !== undefined) return { url: url ?? base_url ?? NOWHERE, html };
  const named = url ?? NOWHERE;
  return { url: named, lane, privateTargets: privateTargetsOf(named, actor), proxy };
}

/** The selector with the prefix that says what it is. */
function selectorOf(request: ExtractRequest): string | undefined {
  const kind = EXTRACT_SELECTORS.find((name) => request[name] !== undefined);
  const text = kind && request[kind];
  if (text === undefined) return undefined;
  if (kind !== 'regex') return `${kind}/${text}`;
  return /^\/.+\/[a-z]*$/s.test(text) ? `regex${text}` : `regex/${text}/`;
}
