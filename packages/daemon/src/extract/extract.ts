// Extraction: parts of one page, read and answered at once; nothing is kept.
import type { ExtraTable, Input, ReplyOf } from '@weft/contract';
import { AppError, EXTRACT_PARTS, EXTRACT_SELECTORS } from '@weft/contract';
import { PageError, refuseStatus } from '@weft/engine';
import type { ViewPool } from '@weft/engine/io';
import type { Actor } from '@weft/serve';
import { decideForReport } from '../crawl/robots-report.ts';
import { askForOneWhoStays, privateTargetsOf } from '../paced-fetcher.ts';
import type { AskingPorts } from '../paced-fetcher.ts';
import { failureOf } from '../runs/executor.ts';

type ExtractRequest = Input<ExtraTable['extract']['run']>['body'];
type Extracted = ReplyOf<ExtraTable['extract']['run']>['body'];
/** What is read, and what is known of how it came. */
interface Fetched {
  readonly source: { readonly url: string; readonly body: Uint8Array; readonly contentType: string | undefined };
  readonly known: Extracted;
}

export interface Extractions {
  /** The parts of a page; one that can't be had or read has a `failure`. Throws AppError `bad_request` for a wrong selector. */
  run(request: ExtractRequest, actor: Actor, signal: AbortSignal): Promise<Extracted>;
}

export interface ExtractPorts extends AskingPorts {
  readonly views: ViewPool;
  /** Product token that robots groups are chosen by. */
  readonly agent: string;
}

/** What `html` without an address is read as. */
const NOWHERE = 'https://page.invalid/';

export function createExtractions(ports: ExtractPorts): Extractions {
  return {
    async run(request, actor, signal) {
      const { html, url = request.base_url ?? NOWHERE } = request;
      try {
        const { source, known } = html === undefined ? await fetchPage(url, request, actor, ports, signal) : givenPage(html, url);
        const parts = EXTRACT_PARTS.filter((part) => request[part] === true);
        const selector = selectorOf(request);
        const { include_hidden: includeHidden = false } = request;
        const work = { source, ...(selector === undefined ? {} : { selector }), parts, includeHidden };
        const { result } = await ports.views.run('select', work, signal, actor.id);
        const { matches, lists, forms, ...rest } = result;
        return {
          ...known,
          ...rest,
          ...(matches ? { matches: [...matches] } : {}),
          ...(lists ? { lists: [...lists] } : {}),
          ...(forms ? { forms: [...forms] } : {}),
        };
      } catch (error) {
        if (!(error instanceof PageError)) throw error;
        if (error.code === 'selector') throw new AppError('bad_request', error.message);
        return { url, failure: failureOf(error) };
      }
    },
  };
}

/** The selector with the prefix that says what it is. */
function selectorOf(request: ExtractRequest): string | undefined {
  const kind = EXTRACT_SELECTORS.find((name) => request[name] !== undefined);
  const text = kind && request[kind];
  if (text === undefined) return undefined;
  if (kind !== 'regex') return `${kind}/${text}`;
  return /^\/.+\/[a-z]*$/s.test(text) ? `regex${text}` : `regex/${text}/`;
}

function givenPage(html: string, url: string): Fetched {
  return { source: { url, body: Buffer.from(html), contentType: 'text/html; charset=utf-8' }, known: { url } };
}

/** The page, and what robots.txt says of it: for a single page that is told, not obeyed (D30). */
async function fetchPage(
  url: string,
  { lane = 'auto' }: ExtractRequest,
  actor: Actor,
  ports: ExtractPorts,
  signal: AbortSignal,
): Promise<Fetched> {
  const privateTargets = privateTargetsOf(url, actor);
  const { fetcher, robots } = askForOneWhoStays(ports, privateTargets);
  // At once with the page: what the file asks for is kept from then on.
  const report = decideForReport(robots, ports.agent, url, signal);
  const page = await fetcher.fetch({ url, lane, privateTargets }, signal);
  const refusal = refuseStatus(page, ports.clock.now());
  if (refusal) throw refusal;
  const said = await report;
  const { allowed, rule } = said ?? {};
  const decided = allowed === undefined ? {} : { robots: { allowed, ...(rule === undefined ? {} : { rule }) } };
  return { source: page, known: { url: page.url, status: page.status, lane: page.lane, ...decided } };
}
