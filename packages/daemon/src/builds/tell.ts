// Tells of builds, in the transaction of what happened.
import type { BuildNotice } from '@weft/engine';
import type { Notices } from '../notices/notice.ts';
import type { BuildRow } from './store.ts';

/** `runId` is the run in which it happened: nothing of it is told twice. */
export function tellOfBuild(
  row: Pick<BuildRow, 'id' | 'asked'>,
  { event, data }: BuildNotice,
  runId: number,
  notices: Pick<Notices, 'tell'>,
): void {
  notices.tell({
    event,
    subject: { kind: 'build', id: row.id, name: row.asked.url.slice(0, 200) },
    data: { ...data, run: { id: runId } },
    dedupe_key: `build-${row.id}-${runId}-${event}`,
  });
}

/** What notices say of `row`. */
export function toldOf({ asked, ladder }: Pick<BuildRow, 'asked' | 'ladder'>) {
  return { ladder, url: asked.url, objective: asked.objective };
}
