// A build that was built again is a proposal, of which its owner decides once.

/** What is known of a build that may propose something. */
export interface Proposing {
  readonly isRebuild: boolean;
  readonly isLive: boolean;
  readonly hasResult: boolean;
  readonly decided: 'accepted' | 'declined' | undefined;
}

/** Whether its owner has decided of it; undefined for a build that proposes nothing. */
export function proposalOf({ isRebuild, isLive, hasResult, decided }: Proposing): 'open' | 'accepted' | 'declined' | undefined {
  if (!isRebuild || isLive || !hasResult) return undefined;
  return decided ?? 'open';
}

/** Why nobody can decide of the build `buildId`; undefined where somebody can. */
export function whyClosed(proposing: Proposing, buildId: string): string | undefined {
  if (!proposing.isRebuild) return `Build ${buildId} proposes nothing: build it again for one that does.`;
  const state = proposalOf(proposing);
  if (state === undefined) return `Build ${buildId} goes on, or ended before it had found anything.`;
  return state === 'open' ? undefined : `Build ${buildId} was ${state} already.`;
}
