// A target as its row has it, and when it is due by that.
import type { NewTarget, Target, TargetRun } from '@weft/contract';
import { FIRST_CADENCE, nextDue, scheduleOf } from '@weft/engine';
import type { Cadence, KnownTrouble, LastPage } from '@weft/engine';
import type { KeptSelector, KnownTargets } from './selectors.ts';

/** What is kept of a body beside its selectors. */
export type TargetDefinition = Omit<NewTarget, 'selectors' | 'name' | 'active'>;

/** A row. */
export interface TargetRow {
  readonly id: string;
  readonly number: number;
  readonly account_id: string;
  readonly name: string;
  readonly url: string;
  readonly definition: TargetDefinition;
  readonly selectors: readonly KeptSelector[];
  readonly parts: number;
  readonly active: boolean;
  readonly version: number;
  readonly state: KnownTrouble;
  readonly known: KnownTargets;
  readonly page: LastPage | null;
  readonly cadence: Partial<Cadence>;
  readonly scheduled_at: Date;
  readonly flapping: boolean;
  readonly checks: number;
  readonly left_out: NonNullable<Target['left_out']> | null;
  readonly last_checked_at: Date | null;
  readonly last_changed_at: Date | null;
  readonly last_run_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly due_at: Date | null;
  readonly rank: number;
  readonly last_due_at: Date | null;
  readonly begun_for: Date | null;
  readonly claim: number | null;
  readonly run: number | null;
  readonly asked: number | null;
  readonly losses: number;
}

/** What made a run. */
export type Trigger = TargetRun['trigger'];

/** When it is checked next by itself, after `nowMs`; undefined for never. */
export function nextDueOf(
  {
    id,
    definition,
    active,
    scheduled_at: scheduledAt,
    last_due_at: lastDueAt,
    cadence,
  }: Pick<TargetRow, 'id' | 'definition' | 'active' | 'scheduled_at' | 'last_due_at' | 'cadence'>,
  nowMs: number,
): Date | undefined {
  if (!active) return undefined;
  const thing = {
    seed: `target-${id}`,
    startedMs: scheduledAt.getTime(),
    lastDueMs: lastDueAt?.getTime(),
    cadence: { ...FIRST_CADENCE, ...cadence },
  };
  const dueMs = nextDue(scheduleOf(definition), thing, nowMs);
  return dueMs === undefined ? undefined : new Date(dueMs);
}
