// What is told of a build: how it ended, and when its functions no longer do what was proved, or do again. Pure.
import type { BuiltFunction } from './functions/built-function.ts';
import type { HealthTurn } from './health/standing.ts';
import { newestRung } from './ladder.ts';
import type { Ladder } from './ladder.ts';

/** Events of builds. */
type BuildEvent = 'build.succeeded' | 'build.failed' | 'build.degraded' | 'build.recovered';

/** Something to tell. */
export interface BuildNotice {
  readonly event: BuildEvent;
  /** `message` is a sentence for people; `build` has its id and site, `functions` what it is about. */
  readonly data: { readonly message: string } & Readonly<Record<string, unknown>>;
}

/** The build that is told of. */
export interface ToldBuild {
  readonly ladder: Ladder;
  readonly url: string;
  /** Empty for a discovery without one. */
  readonly objective: string;
}

/** How a build has ended: `failure` says why where it could not be brought to the end of its ladder. */
export function endNotice(build: ToldBuild, functions: readonly BuiltFunction[], failure?: string): BuildNotice {
  const { status, measured = 'Nothing was proved.' } = newestRung(build.ladder);
  const proved = functions.filter(({ certificate }) => certificate.state === 'proved').map(({ name }) => name);
  const data = { build: buildOf(build), functions: functions.map(({ name, certificate }) => ({ name, state: certificate.state })) };
  if (failure === undefined && status === 'found')
    return { event: 'build.succeeded', data: { message: `What ${build.url} offers was found.`, ...data } };
  if (failure === undefined && proved.length > 0)
    return { event: 'build.succeeded', data: { message: `${build.url} became an API: ${proved.join(', ')} proved.`, ...data } };
  return { event: 'build.failed', data: { message: `${build.url} became no API: ${failure ?? measured}`, ...data } };
}

/** What turned when functions were proved again, each event once: `build.failed` where so many proofs in a row were broken. */
export function healthNotices(build: ToldBuild, turns: readonly HealthTurn[]): readonly BuildNotice[] {
  return TURNS.flatMap(({ to, event, words }) => {
    const turned = turns.filter((turn) => turn.to === to);
    if (turned.length === 0) return [];
    const told = turned.map(({ name, change }) => `${name} ${words}${change ? `: ${change.message}` : '.'}`).join(' ');
    return [{ event, data: { message: `${build.url}: ${told}`, build: buildOf(build), functions: turned.map((turn) => ({ ...turn })) } }];
  });
}

const TURNS = [
  { to: 'failed', event: 'build.failed', words: 'has failed' },
  { to: 'degraded', event: 'build.degraded', words: 'is degraded' },
  { to: 'healthy', event: 'build.recovered', words: 'holds again' },
] as const;

function buildOf({ ladder, url, objective }: ToldBuild) {
  return { id: newestRung(ladder).buildId, url, ...(objective === '' ? {} : { objective }) };
}
