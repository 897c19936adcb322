// Tells what checks found: in the transaction that keeps it, so that nothing is told that is not kept, and nothing kept that is not told.
import { toldChange } from '@weft/engine';
import type { Notices } from '../notices/notice.ts';
import type { KeptCheck } from './checks.ts';

/** Writes the notices of a check. */
export function tellChanges({ monitor, effective, check, changes }: KeptCheck, notices: Notices): void {
  const { id, name, url } = monitor;
  const { channels } = effective;
  for (const [i, change] of check.changes.entries()) {
    const judged = changes[i];
    if (!judged) continue;
    const { id: changeId, kind, summary, url: link = url } = change;
    notices.tell({
      event: `monitor.${kind}`,
      subject: { kind: 'monitor', id, name },
      ...(channels ? { channels } : {}),
      data: {
        message: summary,
        monitor: { id, name, ...(url === null ? {} : { url }) },
        run: { id: check.run_id },
        change: toldChange({ ...judged, id: changeId, url: link }),
      },
      dedupe_key: `change-${changeId}`,
    });
  }
}

/** Tells once that the machine reaches no host, and once that it does again. */
export function tellNetwork(isOffline: boolean, notices: Notices): void {
  const message = isOffline
    ? 'This machine reaches no host. Checks are put off, and nothing is told of single sites, until it does.'
    : 'This machine reaches hosts again; checks go on.';
  notices.tell({ event: isOffline ? 'agent.offline' : 'agent.online', subject: { kind: 'agent' }, data: { message } });
}
