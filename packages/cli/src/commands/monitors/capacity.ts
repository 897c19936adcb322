// weft monitor capacity: how much this machine can look after.
import type { Capacity } from '@weft/contract';
import { exactDurationText, requireDuration } from '../../duration.ts';
import type { CommandRun } from '../../spec.ts';
import { table } from '../../table.ts';

export const run: CommandRun = async (context, _args, options) => {
  const { every } = options;
  const query = typeof every === 'string' ? { every: requireDuration(every, '--every') } : {};
  const client = await context.client();
  const capacity = await client.monitors.capacity(query, { signal: context.signal });
  context.show(capacity, capacityText(capacity));
};

function capacityText({ monitors, lanes, late, disk }: Capacity): string {
  const rows = (['http', 'browser'] as const).map((name) => {
    const {
      slots,
      seconds_per_check: seconds,
      measured,
      capacity_per_minute: most,
      demand_per_minute: asked,
      used,
      one_more: more,
    } = lanes[name];
    const cost = `${seconds} s${measured === 0 ? ' (assumed)' : ''}`;
    return [name, String(slots), cost, `${asked} of ${most}`, percent(used), `${percent(more.used)}${more.fits ? '' : ', too much'}`];
  });
  const { every_seconds: every } = lanes.http.one_more;
  return [
    `${monitors.active} of ${monitors.all} monitors are active; ${late.due} checks are due now, and 95 in 100 began at most ${late.p95_ms} ms late.`,
    `${Math.floor(disk.free_bytes / 1_000_000)} MB are free on the disk; ${Math.floor(disk.needed_bytes / 1_000_000)} are needed.`,
    '',
    table(
      ['LANE', 'SLOTS', 'PER CHECK', 'CHECKS A MINUTE', 'USED', `WITH ONE MORE, EVERY ${exactDurationText(every).toUpperCase()}`],
      rows,
    ),
  ].join('\n');
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
