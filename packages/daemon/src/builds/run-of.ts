// The runs that do a build, and prove one again.
import { BUILD_SOURCE, CHECK_SOURCE } from './store.ts';
import type { AskedBuild, BuildRow } from './store.ts';

/** What the run of build `id` is made of. */
export function runOf(id: number, asked: AskedBuild, ownerId: string) {
  return made(BUILD_SOURCE, id, asked, ownerId);
}

/** The same of a run that proves it again. */
export function checkRunOf({ id, asked }: Pick<BuildRow, 'id' | 'asked'>, ownerId: string) {
  return made(CHECK_SOURCE, id, asked, ownerId);
}

function made(kind: string, id: number, { url, persona_id: personaId }: AskedBuild, ownerId: string) {
  const source = { source_kind: kind, source_id: id, source_name: url };
  return { kind: 'build', ...source, owner_id: ownerId, persona_id: personaId ?? null } as const;
}
