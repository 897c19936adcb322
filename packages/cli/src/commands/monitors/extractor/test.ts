// weft monitor extractor test <id>: what it reads on the live page. Nothing of it is kept.
import { lineText } from '../../../cell.ts';
import { EXIT } from '../../../exit.ts';
import { orTry } from '../../../or-try.ts';
import { parseRowId } from '../../../row-id.ts';
import type { CommandRun } from '../../../spec.ts';

const NEXT = 'weft monitor list';
const LINE_MAX = 200;

export const run: CommandRun = async (context, [number = '']) => {
  const id = parseRowId(number, 'extractor', NEXT);
  const client = await context.client();
  const tested = await orTry(NEXT, client.extractors.test({ extractor_id: id }, { signal: context.signal }));
  const { text, problem, matches } = tested;
  context.show(tested, problem === undefined ? lineText(text ?? '', LINE_MAX) : `${matches} found. ${lineText(problem, LINE_MAX)}`);
  return problem === undefined ? EXIT.done : EXIT.failed;
};
