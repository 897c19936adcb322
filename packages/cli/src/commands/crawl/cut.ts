// Markdown that is cut: to a budget of tokens, or into pieces.
import { runJob } from '../../batch-process.ts';
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { wholeNumber } from '../../number-option.ts';
import type { CommandRun } from '../../spec.ts';
import type { PageRecord } from '@weft/contract';

export interface Cut {
  readonly tokens_max: number;
  readonly chunks: boolean;
}

const TOKENS_MAX = 10_000_000;

/** What `--tokens-max` or `--chunks` ask for. Throws CommandError for both. */
export function cutOf(options: Parameters<CommandRun>[2]): Cut | undefined {
  const [budget, piece] = [wholeNumber(options, 'tokensMax', 1, TOKENS_MAX), wholeNumber(options, 'chunks', 1, TOKENS_MAX)];
  if (budget === undefined && piece === undefined) return undefined;
  if (budget !== undefined && piece !== undefined)
    throw new CommandError('--tokens-max and --chunks exclude each other.', { exitCode: EXIT.usage, code: 'bad_request' });
  return { tokens_max: budget ?? piece ?? TOKENS_MAX, chunks: piece !== undefined };
}

/** The engine cuts between blocks, so that no table or code is torn. What was cut off is said. */
export async function cutMarkdown(page: PageRecord, cut: Cut, { isJson, say }: CommandContext): Promise<string> {
  const { markdown = '', chunks, tokens_left_out: leftOut } = await runJob('markdown', { markdown: page.markdown ?? '', ...cut });
  if (Array.isArray(chunks)) return isJson ? JSON.stringify(chunks, null, 2) : chunks.map((chunk) => JSON.stringify(chunk)).join('\n');
  if (typeof leftOut === 'number') say(`weft: cut to ${cut.tokens_max} tokens; about ${leftOut} more are left out.`);
  const said = leftOut === undefined ? {} : { markdown_tokens_left_out: leftOut };
  return isJson ? JSON.stringify({ ...page, markdown, ...said }, null, 2) : String(markdown);
}
