// Decides the conditions of an automation, each with its reasons.
import type { AutomationCondition, ConditionTrace } from '@weft/contract';
import { decideWhen } from '../monitor/verdict/conditions.ts';
import type { Scope } from '../run/template/render.ts';
import { systemZone } from '../schedule/wall-time.ts';
import { openingAt } from '../schedule/windows.ts';

/** All of them, also behind one that does not hold: the trace shows each. */
export async function decideConditions(
  conditions: readonly AutomationCondition[],
  scope: Scope,
  nowMs: number,
): Promise<readonly ConditionTrace[]> {
  const decided: ConditionTrace[] = [];
  for (const condition of conditions)
    decided.push('windows' in condition ? decideTime(condition, nowMs) : await decideWhen(condition, scope));
  return decided;
}

function decideTime(
  { windows, timezone = systemZone() }: Extract<AutomationCondition, { readonly windows: unknown }>,
  nowMs: number,
): ConditionTrace {
  const { openMs, closeMs } = openingAt(windows, timezone, nowMs);
  const at = (ms: number) => new Date(ms).toISOString();
  if (openMs <= nowMs) return { holds: true, reasons: [`It is ${at(nowMs)}, in a window that is open until ${at(closeMs)}.`] };
  return { holds: false, reasons: [`It is ${at(nowMs)}; the next window opens at ${at(openMs)}.`] };
}
