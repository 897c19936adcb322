// What may make automations act: something that has happened, as it is kept until they have heard of it.
import type { Change, MonitorStateKind, Run, Trigger } from '@weft/contract';
import type { JsonValue } from '../html/loose-json.ts';

/** A check of a monitor was kept. */
export interface CheckCause {
  readonly kind: 'check';
  readonly monitor: { readonly id: number; readonly name: string; readonly url?: string; readonly tags: readonly string[] };
  readonly runId: number;
  /** How the monitor stands, and what is known of its values after the check. */
  readonly current: MonitorReading;
  /** What the check told. */
  readonly changes: readonly Change[];
}

/** A run is settled, or began to wait for a person. */
export interface RunCause {
  readonly kind: 'run';
  readonly run: Pick<Run, 'id' | 'status' | 'source' | 'failure'>;
}

/** Something that has happened. */
export type Cause = CheckCause | RunCause;

/** How a monitor stands; prices are numbers of their currency, stock is its state. */
export interface MonitorReading {
  readonly state: MonitorStateKind;
  readonly values: Readonly<Record<string, JsonValue>>;
}

/** Under which names triggers are found that `cause` may concern. */
export function topicsOf(cause: Cause): readonly string[] {
  if (cause.kind === 'check') return [`monitor ${cause.monitor.id}`, ...cause.monitor.tags.map((tag) => `tag ${tag}`)];
  const { status, source } = cause.run;
  const of = `${source.kind} ${source.id ?? ''}`;
  return status === 'waiting_human' ? [`person ${of}`, `person ${source.kind}`] : [`run ${of}`];
}

/** The one name under which `trigger` is found; undefined for one that nothing but the clock or a call sets off. `crawl_definition` is a saved crawl. */
export function topicOf(trigger: Trigger): string | undefined {
  switch (trigger.type) {
    case 'change':
      return trigger.monitor_id === undefined ? `tag ${trigger.tag}` : `monitor ${trigger.monitor_id}`;
    case 'value':
    case 'held':
      return `monitor ${trigger.monitor_id}`;
    case 'error':
      return trigger.monitor_id === undefined ? `run workflow ${trigger.workflow_id}` : `monitor ${trigger.monitor_id}`;
    case 'waits_human':
      return trigger.workflow_id === undefined ? 'person workflow' : `person workflow ${trigger.workflow_id}`;
    case 'run_finished':
      if (trigger.workflow_id !== undefined) return `run workflow ${trigger.workflow_id}`;
      return trigger.monitor_id === undefined ? `run crawl_definition ${trigger.ref}` : `run monitor ${trigger.monitor_id}`;
    case 'schedule':
    case 'call':
      return undefined;
  }
}
