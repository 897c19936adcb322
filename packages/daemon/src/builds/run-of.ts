// The run that does a build.
import { BUILD_SOURCE } from './store.ts';
import type { AskedBuild } from './store.ts';

/** What the run of build `id` is made of. */
export function runOf(id: number, { url, persona_id: personaId }: AskedBuild, ownerId: string) {
  const source = { source_kind: BUILD_SOURCE, source_id: id, source_name: url };
  return { kind: 'build', ...source, owner_id: ownerId, persona_id: personaId ?? null } as const;
}
