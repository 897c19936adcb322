// A monitor as it is kept, with what nobody said filled in: how its page is asked for, when, and how its checks decide.
import type { MonitorSpec, Schedule } from '@weft/contract';
import type { CheckSubject } from './check-ports.ts';
import { CONFIRM_TIMES, TROUBLE_AFTER } from './settings.ts';
import type { MonitorSettings } from './settings.ts';

/** Every hour, spread by a tenth (D36). */
const SCHEDULE: Schedule = { every: 3600 };

/** What is read of it: of a workflow the rows, unless it has selectors, which are of the page that it ends on. */
export function watchOf({ workflow_id: workflow, watch }: MonitorSpec, hasSelectors: boolean): 'page' | 'main' | 'rows' {
  return watch ?? (workflow === undefined || hasSelectors ? 'page' : 'rows');
}

/** When it is checked by itself. */
export function scheduleOf(spec: Pick<MonitorSpec, 'schedule'>): Schedule {
  return spec.schedule ?? SCHEDULE;
}

/** Whether it is due at other times now. */
export function isDueElse(before: Pick<MonitorSpec, 'schedule'>, after: Pick<MonitorSpec, 'schedule'>): boolean {
  return JSON.stringify(scheduleOf(before)) !== JSON.stringify(scheduleOf(after));
}

/** `current` without what a merge patch replaces as a whole: a schedule goes by one of its members alone, and a condition has one form. */
export function withoutReplaced<Saved extends Pick<MonitorSpec, 'schedule' | 'when'>>(
  { schedule, when, ...current }: Saved,
  patch: { readonly schedule?: object | null | undefined; readonly when?: object | null | undefined },
): Omit<Saved, 'schedule' | 'when'> & Pick<MonitorSpec, 'schedule' | 'when'> {
  return {
    ...current,
    ...(patch.schedule === undefined && schedule !== undefined ? { schedule } : {}),
    ...(patch.when === undefined && when !== undefined ? { when } : {}),
  };
}

/** What people call one that nobody named: the host and path of its page. */
export function monitorName({ url, workflow_id: workflow }: Pick<MonitorSpec, 'url' | 'workflow_id'>): string {
  const at = url === undefined ? null : URL.parse(url);
  return at ? `${at.host}${at.pathname === '/' ? '' : at.pathname}`.slice(0, 200) : `workflow ${workflow}`;
}

/** How it decides. */
export function settingsOf({
  filter = {},
  when,
  confirm = {},
  known_states: knownStates = 0,
  trouble = {},
  empty_is_change: empty = false,
}: MonitorSpec): MonitorSettings {
  return {
    filter,
    when,
    confirm: { times: confirm.times ?? CONFIRM_TIMES, holdMs: (confirm.hold ?? 0) * 1000 },
    knownStates,
    trouble: {
      after: trouble.after ?? TROUBLE_AFTER,
      afterMs: trouble.seconds === undefined ? undefined : trouble.seconds * 1000,
      repeatMs: trouble.repeat === undefined ? undefined : trouble.repeat * 1000,
    },
    emptyIsChange: empty,
  };
}

/** What it looks at. `privateTargets` are the `host:port` pairs that its own address names and that may be private (D31). */
export function sourceOf(spec: MonitorSpec, watch: CheckSubject['watch'], privateTargets: readonly string[]): CheckSubject['source'] {
  const { workflow_id: workflowId, inputs = {} } = spec;
  if (workflowId !== undefined) return { kind: 'workflow', gives: watch === 'rows' ? 'rows' : 'page', workflowId, inputs };
  const { method = 'GET', headers, body, lane = 'auto', proxy, wait_for_selector: waitForSelector, wait_ms: waitMs, screenshot } = spec;
  const browser = {
    ...(waitForSelector === undefined ? {} : { waitForSelector }),
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(screenshot === undefined ? {} : { screenshot }),
  };
  return {
    kind: 'page',
    request: {
      // Checked when it was made: one without a workflow has an address.
      url: spec.url ?? '',
      lane: method === 'GET' ? lane : 'http',
      method,
      privateTargets,
      ...(headers ? { headers } : {}),
      ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
      ...(proxy === undefined ? {} : { proxy }),
      ...(Object.keys(browser).length > 0 ? { browser } : {}),
    },
    respectRobots: spec.respect_robots ?? true,
    acceptStatuses: spec.accept_statuses ?? [],
    personaId: spec.persona_id,
  };
}
