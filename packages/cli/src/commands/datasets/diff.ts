// weft dataset diff <id>: what differs between the records of two runs, the newest two unless said.
import type { DatasetDiff, DiffPart } from '@weft/contract';
import { cellsFor, wholeText } from '../../cell.ts';
import type { Environment } from '../../environment.ts';
import { EXIT } from '../../exit.ts';
import { wholeNumber } from '../../number-option.ts';
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';

const LIMIT_MAX = 500;

export const run: CommandRun = async (context, [text = ''], options) => {
  const id = parseRowId(text, 'dataset');
  const limit = wholeNumber(options, 'limit', 0, LIMIT_MAX);
  const { from, to } = options;
  const query = {
    id,
    ...(typeof from === 'string' ? { from: parseRowId(from, 'run', 'weft crawl list') } : {}),
    ...(typeof to === 'string' ? { to: parseRowId(to, 'run', 'weft crawl list') } : {}),
    ...(limit === undefined ? {} : { limit }),
  };
  const client = await context.client();
  const diff = await orTry(`weft dataset show ${id}`, client.datasets.diff(query, { signal: context.signal }));
  context.show(diff, shown(diff, context.environment));
  return options['exitCode'] === true && hasChanged(diff) ? EXIT.changed : EXIT.done;
};

/** What differs between two runs in numbers. */
export type DiffCounts = Pick<DatasetDiff, 'new' | 'changed' | 'gone' | 'equal' | 'unread'>;

export function countsText({ new: fresh, changed, gone, equal, unread }: DiffCounts): string {
  const rest = unread > 0 ? `, ${unread} that could not be read this time` : '';
  return `${fresh} new, ${changed} changed, ${gone} gone, ${equal} equal${rest}`;
}

export function hasChanged(counts: DiffCounts): boolean {
  return counts.new + counts.changed + counts.gone > 0;
}

function shown(diff: DatasetDiff, environment: Environment): string {
  const total = diff.new + diff.gone + diff.changed;
  const left = total > diff.changes.length ? [`${diff.changes.length} of ${total} changes; --limit shows more`] : [];
  const head = `Run ${diff.from} to run ${diff.to}: ${countsText(diff)}`;
  return [head, ...diff.changes.map((change) => changeText(change, environment)), ...left].join('\n\n');
}

const MARK = { new: '+', gone: '-', changed: '~' } as const;

function changeText({ change, key, fields, text }: DatasetDiff['changes'][number], environment: Environment): string {
  const head = `${MARK[change]} ${wholeText(key)}`;
  if (change !== 'changed') return head;
  const cell = cellsFor(environment);
  const values = fields.map(({ name, from, to }) => `    ${name}: ${cell(from)} -> ${cell(to)}`);
  return [head, ...values, ...(text ? [wordsText(text.parts, environment.hasColour)] : [])].join('\n');
}

/** As wdiff writes it: [-gone-] and {+new+}. */
function wordsText(parts: readonly DiffPart[], hasColour: boolean): string {
  const written = parts.map(({ kind, text }) => {
    if (kind === 'same') return text;
    const [open, close, colour] = kind === 'added' ? ['{+', '+}', 32] : ['[-', '-]', 31];
    return hasColour ? `\u001b[${colour}m${open}${text}${close}\u001b[0m` : `${open}${text}${close}`;
  });
  return written
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())
    .join('\n');
}
