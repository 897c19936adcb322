// Who calls: a credential's record, passed down instead of the credential itself, and what it may do (D15).
import type { CredentialKind, Operation, Scope } from '@weft/contract';

export interface Actor {
  /** `runtime`, or the key's id. Runs remember it as their owner. */
  readonly id: string;
  /** What it showed; `none` for a caller who showed nothing. */
  readonly family: CredentialKind | 'none';
  readonly scopes: readonly Scope[];
  /** Whose rows it reaches, on a surface that serves many accounts (D50). */
  readonly account?: string;
}

/** What an actor reaches through an operation: everything, what it started itself, or nothing. */
export type Reach = 'all' | 'own' | 'none';

/** The reach of `actor` through `operation`; the one place where scopes are compared. */
export function decideReach(actor: Actor, operation: Operation): Reach {
  if (actor.family === 'wlt') return 'all';
  const accepted = operation.scopes;
  if (accepted.some((scope) => scope !== 'runtime' && actor.scopes.includes('admin'))) return 'all';
  if (accepted.some((scope) => (scope === 'read' || scope === 'run') && actor.scopes.includes(scope))) return 'all';
  return accepted.includes('run:own') && actor.scopes.includes('run') ? 'own' : 'none';
}

/** True for the runtime token and keys with the admin scope: what D16 and D31 reserve. */
export function isAdmin(actor: Actor): boolean {
  return actor.family === 'wlt' || actor.scopes.includes('admin');
}

/** True where an actor may read everybody's runs, not only those that it started. */
export function seesAllRuns(actor: Actor): boolean {
  return isAdmin(actor) || actor.scopes.includes('read');
}

/** Whether an actor may see a run; `ownerOf` is asked only where that decides. */
export function seesRun(actor: Actor, ownerOf: () => string | undefined): boolean {
  return seesAllRuns(actor) || ownerOf() === actor.id;
}
