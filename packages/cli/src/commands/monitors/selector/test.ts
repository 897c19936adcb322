// weft monitor selector test <monitor> [selector]: what it finds on the live page. Nothing of it is kept but a picture that is asked for.
import type { SelectorTest } from '@weft/contract';
import { cellText, lineText } from '../../../cell.ts';
import { EXIT } from '../../../exit.ts';
import type { CommandRun } from '../../../spec.ts';
import { findMonitor, findSelector } from '../refs.ts';
import { valueLines } from '../words.ts';

const LINE_MAX = 200;

export const run: CommandRun = async (context, [ref = '', number], { screenshot }) => {
  const client = await context.client();
  const { signal } = context;
  const monitor = await findMonitor(client, ref, signal);
  const selector = findSelector(monitor, number);
  const picture = screenshot === true ? { screenshot } : {};
  const tested = await client.selectors.test({ id: monitor.id, selector_id: selector.id, ...picture }, { signal });
  context.show(tested, `${selector.name}: ${testText(tested)}`);
  return tested.verdict === 'found' && tested.problem === undefined ? EXIT.done : EXIT.failed;
};

function testText({ verdict, via, matches, confidence, values, problem, near_misses: near, proposal, screenshot }: SelectorTest): string {
  const how = via === undefined ? '' : `, ${matches} by ${WAYS[via]}, sure at ${confidence.toFixed(2)}`;
  return [
    `${verdict}${how}`,
    ...(problem === undefined ? [] : [`  ${lineText(problem, LINE_MAX)}`]),
    ...valueLines(values.map(withEvidence)).map((line) => `  ${line}`),
    ...near.map(
      ({ selector, text, score, why }) =>
        `  near: ${lineText(selector, LINE_MAX)} at ${score.toFixed(2)} (${lineText(why, LINE_MAX)}): ${cellText(text)}`,
    ),
    ...(proposal ? [`  proposed: ${lineText(proposal.selector, LINE_MAX)} (${lineText(proposal.evidence.join(', '), LINE_MAX)})`] : []),
    ...(screenshot ? [`  picture: weft file get ${screenshot.file_id} -o matches.png`, ...screenshot.boxes.map(boxLine)] : []),
  ].join('\n');
}

/** A page may say several things of what can be bought: which of them counted, and whether they differ. */
function withEvidence(read: SelectorTest['values'][number]) {
  const { value, text } = read;
  const { evidence, conflict } = (value ?? {}) as { readonly evidence?: unknown; readonly conflict?: unknown };
  if (read.type !== 'availability' || !Array.isArray(evidence) || evidence.length === 0) return read;
  // What the extractor `availability` gives (packages/engine/src/extract/availability/state.ts).
  const words = (evidence as { source: string; phrase: string }[]).map(({ source, phrase }) => `${source} "${phrase}"`).join(', ');
  return { ...read, text: `${text} (${words}${conflict === true ? ', which differ' : ''})` };
}

function boxLine({ x, y, width, height }: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }) {
  return `  at ${x}, ${y}: ${width} x ${height} pixels`;
}

const WAYS = { selector: 'itself', alternate: 'another selector of its baseline', repair: 'likeness' } as const;
