// How the functions of a build stand, in words.
import type { BuildHealth } from '@weft/contract';
import { table } from '../../table.ts';

export function wordsOfHealth({ state, check_hours: hours, next_check_at: next, functions, unchecked }: BuildHealth): string {
  const when =
    hours === null
      ? 'Its functions are not proved again by themselves.'
      : next === undefined
        ? 'Nothing of it is published yet.'
        : `Proved again at ${next}.`;
  return [
    `health     ${functions.length === 0 ? 'not proved again yet' : state}`,
    ...(functions.length === 0
      ? []
      : [
          table(
            ['FUNCTION', 'HEALTH', 'SINCE', 'WHAT HAS CHANGED'],
            functions.map(({ name, state: stands, since, change }) => [
              name,
              stands,
              since,
              change ? `${change.kind}: ${change.message}` : '',
            ]),
          ),
        ]),
    ...(unchecked === undefined ? [] : [`It could not be looked at when it was due last: ${unchecked}`]),
    when,
  ].join('\n');
}
