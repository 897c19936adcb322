// The ladder of a site-to-API build: which rung comes next, why one handed over, and what a poll of each shows. Pure; the caller keeps it.
// Specification, "Site-to-API build view" and "States and transitions"; D49.

/** The rungs, from the cheapest on: a crawl by plain requests, one by a browser, and a model that drives a browser. */
export const RUNGS = ['static', 'rendered', 'ai'] as const;
/** One of them. */
export type Rung = (typeof RUNGS)[number];

/** What a rung does, as a build view calls it. */
export type RungMode = 'crawl' | 'rendered_crawl' | 'sweep';

/** Why a rung was replaced. */
export const FALLBACK_REASONS = ['robots_refused', 'no_page_fetched', 'nothing_matched_objective', 'no_structured_list'] as const;
/** One of them. */
export type FallbackReason = (typeof FALLBACK_REASONS)[number];

/**
 * `queued` and `running` are live; `proved`, `found` (a discovery that has its catalogue) and `failed` are the ends of a build; `replaced` is a
 * rung that another one goes on for.
 */
export type RungStatus = 'queued' | 'running' | 'proved' | 'found' | 'replaced' | 'failed';

/** One rung; each is a build with an id of its own. */
export interface LadderRung {
  readonly buildId: string;
  readonly rung: Rung;
  readonly mode: RungMode;
  readonly status: RungStatus;
  /** Crawl rungs: whether robots rules were obeyed. */
  readonly respectRobots: boolean;
  /** Crawl rungs: whether the supervising call's draft was used; false without a model, and where the draft was thrown away. */
  readonly aiSupervise: boolean;
  /** On a replaced rung. */
  readonly fallbackBuildId?: string;
  readonly fallbackReason?: FallbackReason;
  /** What was measured, in a sentence with numbers: of a replaced or failed rung, and of one that a limit ended. */
  readonly measured?: string;
}

/** All rungs of one build, oldest first; the last one is the newest. */
export type Ladder = readonly LadderRung[];

/** What a rung came to. */
export type RungEnd =
  | { readonly kind: 'proved'; readonly aiSupervise: boolean; readonly measured?: string }
  | { readonly kind: 'found'; readonly aiSupervise: boolean; readonly measured?: string }
  | { readonly kind: 'handed_over'; readonly reason: FallbackReason; readonly measured: string; readonly aiSupervise: boolean }
  | { readonly kind: 'failed'; readonly measured: string; readonly aiSupervise: boolean };

/** What a build view shows of a rung. Members that are undefined are absent from the view, never null. */
export interface RungView {
  readonly build_id: string;
  readonly rung: Rung;
  readonly mode: RungMode;
  readonly status: RungStatus;
  readonly respect_robots?: boolean;
  readonly ai_supervise?: boolean;
  readonly escalations?: readonly Escalation[];
  readonly fallback_build_id?: string;
  readonly fallback_reason?: FallbackReason;
  /** Numbers behind `fallback_reason`, why the build failed, or which limit ended it. */
  readonly measured?: string;
}

/** A rung that ran before this one, and why it handed over. */
export interface Escalation {
  readonly build_id: string;
  readonly rung: Rung;
  readonly mode: RungMode;
  readonly reason: FallbackReason;
}

const MODES: Readonly<Record<Rung, RungMode>> = { static: 'crawl', rendered: 'rendered_crawl', ai: 'sweep' };

/** A ladder with its first rung, which is queued. */
export function beginLadder(buildId: string, options: { readonly respectRobots: boolean }): Ladder {
  return [newRung(buildId, 'static', options.respectRobots)];
}

/** The newest rung: the one that works, or that the build ended with. */
export function newestRung(ladder: Ladder): LadderRung {
  const newest = ladder.at(-1);
  if (!newest) throw new Error('A ladder has at least one rung.');
  return newest;
}

/** The rung that a build id belongs to. */
export function findRung(ladder: Ladder, buildId: string): LadderRung | undefined {
  return ladder.find((rung) => rung.buildId === buildId);
}

/** True once nothing of the build goes on. */
export function isEnded(ladder: Ladder): boolean {
  const { status } = newestRung(ladder);
  return status === 'proved' || status === 'found' || status === 'failed';
}

/** The ladder with its newest rung at work. One that is at work or has ended stays as it is. */
export function startRung(ladder: Ladder): Ladder {
  const newest = newestRung(ladder);
  return newest.status === 'queued' ? [...ladder.slice(0, -1), { ...newest, status: 'running' }] : ladder;
}

/**
 * The ladder after its newest rung has ended. One that hands over is replaced by the next, which is queued under `nextBuildId`; the last rung
 * has nobody to hand over to and fails. A ladder that has ended stays as it is.
 */
export function endRung(ladder: Ladder, end: RungEnd, nextBuildId: () => string): Ladder {
  if (isEnded(ladder)) return ladder;
  const newest = newestRung(ladder);
  const before = ladder.slice(0, -1);
  const { aiSupervise } = end;
  if (end.kind === 'proved' || end.kind === 'found')
    return [...before, { ...newest, status: end.kind, aiSupervise, ...(end.measured === undefined ? {} : { measured: end.measured }) }];
  const next = end.kind === 'handed_over' ? RUNGS[RUNGS.indexOf(newest.rung) + 1] : undefined;
  if (end.kind === 'failed' || next === undefined) return [...before, { ...newest, status: 'failed', aiSupervise, measured: end.measured }];
  const successor = newRung(nextBuildId(), next, newest.respectRobots);
  const replaced: LadderRung = {
    ...newest,
    status: 'replaced',
    aiSupervise,
    fallbackBuildId: successor.buildId,
    fallbackReason: end.reason,
    measured: end.measured,
  };
  return [...before, replaced, successor];
}

/** What a poll of `buildId` shows: of a replaced rung that and by whom, of the newest what came before it. Undefined for an id that is none of these. */
export function viewRung(ladder: Ladder, buildId: string): RungView | undefined {
  const rung = findRung(ladder, buildId);
  if (!rung) return undefined;
  const { mode, status, fallbackBuildId, fallbackReason, measured } = rung;
  const isNewest = rung === newestRung(ladder);
  const escalations = isNewest ? escalationsOf(ladder) : [];
  return {
    build_id: buildId,
    rung: rung.rung,
    mode,
    status,
    ...(rung.rung === 'ai' ? {} : { respect_robots: rung.respectRobots, ai_supervise: rung.aiSupervise }),
    ...(escalations.length > 0 ? { escalations } : {}),
    ...(fallbackBuildId === undefined ? {} : { fallback_build_id: fallbackBuildId }),
    ...(fallbackReason === undefined ? {} : { fallback_reason: fallbackReason }),
    ...(measured === undefined ? {} : { measured }),
  };
}

function escalationsOf(ladder: Ladder): readonly Escalation[] {
  return ladder.flatMap(({ buildId, rung, mode, fallbackReason }) =>
    fallbackReason === undefined ? [] : [{ build_id: buildId, rung, mode, reason: fallbackReason }],
  );
}

function newRung(buildId: string, rung: Rung, respectRobots: boolean): LadderRung {
  return { buildId, rung, mode: MODES[rung], status: 'queued', respectRobots, aiSupervise: false };
}
