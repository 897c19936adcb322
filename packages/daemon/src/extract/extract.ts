// Extraction: parts of one page, read and answered at once; nothing is kept.
import type { ExtraTable, Input, ReplyOf } from '@weft/contract';
import { AppError, EXTRACT_PARTS, EXTRACT_SELECTORS } from '@weft/contract';
import { PageError, extractList, extractParts, failureOfPage } from '@weft/engine';
import type { AskingPorts, PageParts, PartsSource, ViewReader } from '@weft/engine';
import type { Actor } from '@weft/serve';
import { privateTargetsOf } from '../auth/private-targets.ts';

type ExtractRequest = Input<ExtraTable['extract']['run']>['body'];
type Extracted = ReplyOf<ExtraTable['extract']['run']>['body'];

export interface Extractions {
  /** The parts of a page; one that can't be had or read has a `failure`. Throws AppError `bad_request` for a wrong selector. */
  run(request: ExtractRequest, actor: Actor, signal: AbortSignal): Promise<Extracted>;
}

/** What `html` without an address is read as. */
const NOWHERE = 'https://page.invalid/';

export function createExtractions(ports: AskingPorts & { readonly views: ViewReader }): Extractions {
  return {
    async run(request, actor, signal) {
      const from = sourceOf(request, actor);
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
        return { url: from.url, failure: failureOfPage(error) };
      }
    },
  };
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

function sourceOf({ html, url, base_url, lane = 'auto' }: ExtractRequest, actor: Actor): PartsSource {
  if (html !== undefined) return { url: url ?? base_url ?? NOWHERE, html };
  const named = url ?? NOWHERE;
  return { url: named, lane, privateTargets: privateTargetsOf(named, actor) };
}

/** The selector with the prefix that says what it is. */
function selectorOf(request: ExtractRequest): string | undefined {
  const kind = EXTRACT_SELECTORS.find((name) => request[name] !== undefined);
  const text = kind && request[kind];
  if (text === undefined) return undefined;
  if (kind !== 'regex') return `${kind}/${text}`;
  return /^\/.+\/[a-z]*$/s.test(text) ? `regex${text}` : `regex/${text}/`;
}
