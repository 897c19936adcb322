// The condition under which a monitor tells anything, decided with a reason for each comparison.
import type { Condition } from '@weft/contract';
import type { JsonValue } from '../../html/loose-json.ts';
import { PageError } from '../../errors.ts';
import { decideCondition } from '../../run/condition.ts';
import { renderJson } from '../../run/template/render.ts';
import type { Scope } from '../../run/template/render.ts';
import { TemplateError } from '../../run/template/parse.ts';
import { textOf } from '../../run/value.ts';

/** What the places of a condition stand for. */
export interface ConditionScope {
  readonly values: Readonly<Record<string, JsonValue>>;
  readonly old: Readonly<Record<string, JsonValue>>;
  readonly percent: Readonly<Record<string, number>>;
  readonly text: string;
  readonly added: string;
  readonly removed: string;
}

/** Whether a condition holds, and the sentence for each of its comparisons. */
export interface Decided {
  readonly holds: boolean;
  readonly reasons: readonly string[];
}

/** Decides `when` on what a check has read, or on the places of an automation. One that can't be decided does not hold, and says why. */
export async function decideWhen(when: Condition, scope: ConditionScope | Scope): Promise<Decided> {
  const reasons: string[] = [];
  const holds = await decide(when, scope, reasons);
  return { holds, reasons };
}

async function decide(condition: Condition, scope: ConditionScope | Scope, reasons: string[]): Promise<boolean> {
  // Every comparison is decided, so that each has its reason.
  if ('all' in condition) return (await decideEach(condition.all, scope, reasons)).every(Boolean);
  if ('any' in condition) return (await decideEach(condition.any, scope, reasons)).some(Boolean);
  if ('not' in condition) return !(await decide(condition.not, scope, reasons));
  const places: Readonly<Record<string, unknown>> = { ...scope };
  try {
    const holds = await decideCondition(condition, places, async () => []);
    const shown = (template: unknown) => JSON.stringify(textOf(renderJson(template, places)).slice(0, 100));
    const against = condition.with === undefined ? '' : ` ${shown(condition.with)}`;
    reasons.push(`${shown(condition.value)} ${condition.op}${against}: ${holds ? 'holds' : 'does not hold'}.`);
    return holds;
  } catch (error) {
    if (!(error instanceof TemplateError || error instanceof PageError)) throw error;
    reasons.push(`A comparison can't be decided: it ${error.message}.`);
    return false;
  }
}

async function decideEach(conditions: readonly Condition[], scope: ConditionScope | Scope, reasons: string[]): Promise<readonly boolean[]> {
  const held: boolean[] = [];
  for (const one of conditions) held.push(await decide(one, scope, reasons));
  return held;
}

/** Why `when` can't be one of a monitor, in words to stand behind its name; undefined where it can. */
export function faultOfWhen(when: Condition): string | undefined {
  if ('all' in when) return when.all.map(faultOfWhen).find((fault) => fault !== undefined);
  if ('any' in when) return when.any.map(faultOfWhen).find((fault) => fault !== undefined);
  if ('not' in when) return faultOfWhen(when.not);
  return when.page === undefined ? undefined : 'reads a page; a monitor compares what its extractors give: {{values.<name>}}';
}
