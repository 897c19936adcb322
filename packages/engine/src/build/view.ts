// A build as it is shown, and what of it has changed. Pure.
import type { BuildHealth, BuildView, BuiltFunction as FunctionView } from '@weft/contract';
import type { BuildResult } from './build.ts';
import type { BuiltFunction } from './functions/built-function.ts';
import { openApiOf } from './functions/openapi.ts';
import type { ApiWords, ServedApi } from './functions/openapi.ts';
import { newestRung, viewRung } from './ladder.ts';
import type { Ladder } from './ladder.ts';

/** What is kept of a build. */
export interface KeptBuild {
  readonly url: string;
  /** Empty for a discovery without one. */
  readonly objective: string;
  readonly isDiscovery: boolean;
  readonly ladder: Ladder;
  /** What it came to so far; absent before the first rung has ended. */
  readonly result: Omit<BuildResult, 'ladder'> | undefined;
  /** How one ended that was stopped before its ladder had: by a person, or by what nobody foresaw. */
  readonly stopped?: { readonly status: 'cancelled' | 'failed'; readonly reason?: string } | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What only its keeper knows of a build, by the names of the view. */
export type BuildExtras = Pick<BuildView, 'run_id' | 'rebuild_of' | 'diff' | 'proposal'> & {
  /** Shown where something was proved. */
  readonly health?: BuildHealth;
  /** By the name of a function: the saved workflow that it is. */
  readonly publishedAs?: Readonly<Record<string, string>>;
  /** Where what is published is called. */
  readonly served?: ServedApi;
};

/** What a poll of `buildId` shows: of a replaced rung the rung alone, of the newest all that the build came to. Undefined for an id of no rung. */
export function viewBuild(kept: KeptBuild, buildId: string, extras: BuildExtras = {}): BuildView | undefined {
  const rung = viewRung(kept.ladder, buildId);
  if (!rung) return undefined;
  const isNewest = newestRung(kept.ladder).buildId === buildId;
  const { escalations, status, ...shown } = rung;
  const isLive = status === 'queued' || status === 'running';
  const { publishedAs = {}, served, health, ...members } = extras;
  const isProved = isNewest && !isLive && kept.result?.functions.some(({ certificate }) => certificate.state === 'proved') === true;
  return {
    ...shown,
    status: isLive ? (kept.stopped?.status ?? status) : status,
    ...(isLive && kept.stopped?.reason !== undefined ? { measured: kept.stopped.reason } : {}),
    url: kept.url,
    ...(kept.objective === '' ? {} : { objective: kept.objective }),
    ...(escalations ? { escalations: escalations.map((each) => ({ ...each })) } : {}),
    ...(isNewest && kept.result && !isLive ? resultMembers(kept.result, kept.isDiscovery, publishedAs, served) : {}),
    ...members,
    ...(isProved && health ? { health } : {}),
    created_at: kept.createdAt,
    updated_at: kept.updatedAt,
  };
}

function resultMembers(
  result: NonNullable<KeptBuild['result']>,
  isDiscovery: boolean,
  publishedAs: Readonly<Record<string, string>>,
  served: ServedApi | undefined,
) {
  const { functions, unused, draftSource, supervised, openapi, catalogue } = result;
  const call = supervised && {
    used: supervised.wasUsed,
    tokens_in: supervised.tokensIn,
    tokens_out: supervised.tokensOut,
    dropped: supervised.dropped,
    ...(supervised.reason === undefined ? {} : { reason: supervised.reason }),
  };
  return {
    ...(isDiscovery
      ? { evidence: evidenceOf(catalogue) }
      : { functions: functions.map((each) => viewFunction(each, publishedAs[each.name])), draft_source: draftSource }),
    ...(unused.length > 0 ? { unused: unused.map((each) => ({ ...each })) } : {}),
    ...(call ? { supervised: call } : {}),
    // The words that it was written with stand in it.
    ...(openapi ? { openapi: { ...(served ? openApiOf(functions, openapi['info'] as ApiWords, served) : openapi) } } : {}),
  };
}

/** The catalogue as it is sent. */
export function evidenceOf(catalogue: BuildResult['catalogue']): NonNullable<BuildView['evidence']> {
  const plain = (things: readonly object[]) => things.map((each) => ({ ...each }));
  const { forms, requests, listings, states, details, endpoints, paging, tokens, candidates } = catalogue;
  return {
    forms: plain(forms),
    requests: plain(requests),
    listings: plain(listings),
    states: plain(states),
    details: plain(details),
    endpoints: plain(endpoints),
    paging: plain(paging),
    tokens: plain(tokens),
    candidates: plain(candidates),
  };
}

function viewFunction({ name, description, candidate, certificate, workflow, rowSchema }: BuiltFunction, slug?: string): FunctionView {
  const recorded = certificate.probes.find(({ role }) => role === 'recorded');
  return {
    name,
    description,
    kind: candidate.kind,
    state: certificate.state,
    reason: certificate.reason,
    lane: certificate.lane,
    candidate_id: candidate.id,
    ...(workflow.inputs ? { inputs: { ...workflow.inputs } } : {}),
    row: { ...rowSchema },
    ...(recorded ? { example: { ...recorded.inputs } } : {}),
    proof: { ...certificate },
    workflow: { ...workflow },
    ...(slug === undefined ? {} : { workflow_slug: slug }),
  };
}
