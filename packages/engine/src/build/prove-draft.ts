// Proves what a person has chosen of a build that has ended.
import { SiteAsking } from './asking/site-asking.ts';
import type { BuildResult } from './build.ts';
import { freeName } from './draft.ts';
import type { Draft } from './draft.ts';
import { buildFunction } from './functions/build-function.ts';
import type { BuiltFunction } from './functions/built-function.ts';
import { openApiOf } from './functions/openapi.ts';
import { newestRung } from './ladder.ts';
import type { BuildOptions } from './options.ts';
import type { BuildPorts } from './ports.ts';

const PRICE = 1;

/**
 * Proves the functions of `draft`, which holds ids of the catalogue of `before` alone (`acceptDraft`). Those that the build had stay, but for
 * one that is made of the same candidate. The newest rung is proved where one of them is. Throws PageError `aborted`.
 */
export async function proveDraft(
  draft: Draft,
  options: BuildOptions,
  ports: BuildPorts,
  before: BuildResult,
  signal: AbortSignal,
): Promise<BuildResult> {
  const { catalogue, ladder } = before;
  const newest = newestRung(ladder);
  const asking = new SiteAsking(options, ports, { requestsMax: options.limits.proofCallsMax, price: PRICE });
  const candidates = new Map(catalogue.candidates.map((candidate) => [candidate.id, candidate]));
  const picked = new Set(draft.functions.map(({ candidate_id: id }) => id));
  const functions: BuiltFunction[] = before.functions.filter(({ candidate }) => !picked.has(candidate.id));
  const unused = new Map(before.unused.map(({ id, reason }) => [id, reason]));
  for (const each of draft.functions) {
    const candidate = candidates.get(each.candidate_id);
    if (!candidate) continue;
    const named = { ...each, name: freeName(each.name, new Set(functions.map(({ name }) => name))) };
    const made = asking.isSpent ? 'No call was left to prove it.' : await buildFunction(named, candidate, asking, signal);
    if (typeof made === 'string') unused.set(candidate.id, made);
    else {
      functions.push(made);
      const { state, reason } = made.certificate;
      if (state === 'proved') unused.delete(candidate.id);
      else unused.set(candidate.id, reason);
      await ports.tell({ type: 'proof', buildId: newest.buildId, function: made.name, state, reason });
    }
  }
  const proved = functions.filter(({ certificate }) => certificate.state === 'proved');
  const { openapi: _openapi, ...kept } = before;
  const title = URL.parse(options.url)?.host ?? options.url;
  return {
    ...kept,
    ladder: [...ladder.slice(0, -1), { ...newest, aiSupervise: false, ...endOf(proved.length, functions.length) }],
    draft,
    draftSource: 'picked',
    functions,
    unused: [...unused].map(([id, reason]) => ({ id, reason })),
    ...(proved.length > 0 ? { openapi: openApiOf(proved, { title, description: options.objective, version: '1' }) } : {}),
  };
}

function endOf(proved: number, all: number) {
  return proved > 0 ? ({ status: 'proved' } as const) : ({ status: 'failed', measured: `${all} functions, 0 proved.` } as const);
}
