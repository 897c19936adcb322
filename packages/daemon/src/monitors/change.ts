// Changes as they are told.
import type { Change } from '@weft/contract';
import { toInstant } from '@weft/serve';
import type { ChangeRow } from './store.ts';

/** A change as it is told. */
export function toChange(row: ChangeRow): Change {
  const {
    id,
    monitor_id,
    monitor_name,
    selector_id,
    extractor_id,
    name,
    kind,
    old,
    new: now,
    difference,
    summary,
    percent,
    url,
    run_id,
  } = row;
  return {
    id,
    monitor_id,
    monitor_name,
    ...(selector_id === null ? {} : { selector_id }),
    ...(extractor_id === null ? {} : { extractor_id }),
    ...(name === null ? {} : { name }),
    kind,
    ...(old === null ? {} : { old: JSON.parse(old) as unknown }),
    ...(now === null ? {} : { new: JSON.parse(now) as unknown }),
    ...(difference === null ? {} : { difference }),
    summary,
    ...(percent === null ? {} : { percent }),
    ...(url === null ? {} : { url }),
    run_id,
    created_at: toInstant(row.created_at),
  };
}
