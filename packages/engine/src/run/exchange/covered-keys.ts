// Drops the keys of a text that was typed: the `change` behind them gives the whole text.
import type { LeftOut } from './untrusted.ts';

interface KeyLike {
  readonly type: string;
  readonly key?: string;
}

/** Keys that write or mend a text, by KeyboardEvent.key and by code. */
const WRITES = /^(?:.|Key[A-Z]|Digit\d|Numpad\d|Space|Backspace|Delete|CapsLock|Shift(?:Left|Right)?)$/su;
const SHORTCUT = /^(?:Control|Alt|Meta)(?:Left|Right)?$/;

/** `steps` without the keys that a `change` covers: those right before it, and where they were let go right behind it. */
export function dropCoveredKeys<Step extends KeyLike>(steps: readonly Step[], leftOut: LeftOut[]): readonly Step[] {
  const dropped = new Set<number>();
  steps.forEach((step, place) => {
    if (step.type === 'change') cover(place, steps, dropped);
  });
  if (dropped.size > 0)
    leftOut.push({
      path: `steps.${Math.min(...dropped)}`,
      message: `${dropped.size} steps of single keys are left out: the text that they typed is set as a whole.`,
    });
  return steps.filter((_step, place) => !dropped.has(place));
}

function cover(change: number, steps: readonly KeyLike[], dropped: Set<number>): void {
  const isKey = (place: number) => /^key(?:Down|Up)$/.test(steps[place]?.type ?? '');
  const keyAt = (place: number) => steps[place]?.key ?? '';
  let first = change;
  while (isKey(first - 1) && !dropped.has(first - 1)) first -= 1;
  const before = Array.from({ length: change - first }, (_none, index) => first + index);
  if (before.some((place) => SHORTCUT.test(keyAt(place)))) return;
  const covered = before.filter((place) => WRITES.test(keyAt(place)));
  const held = new Set<string>();
  for (const place of covered) {
    dropped.add(place);
    if (steps[place]?.type === 'keyDown') held.add(keyAt(place));
    else held.delete(keyAt(place));
  }
  for (let place = change + 1; isKey(place) && held.size > 0; place += 1)
    if (steps[place]?.type === 'keyUp' && held.delete(keyAt(place))) dropped.add(place);
}
