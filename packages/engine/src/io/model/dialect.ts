// What an endpoint takes of its format: begins with the best and gives up, one by one, what a refusal names.
import type { AnswerMode } from '../../model/model.ts';
import type { Dialect, WireFormat } from './wire.ts';

/** The first dialect to try. */
export function firstDialect({ modes }: WireFormat): Dialect {
  return { mode: modes[0], isStreamed: true, tokensMember: 'max_tokens', hasTemperature: true };
}

/**
 * What to try after an endpoint has refused a question for its form: without the member that it names, else with the next mode; undefined where
 * nothing is left. A refusal that names nothing is about the mode, which servers know least.
 */
export function afterRefusal(dialect: Dialect, said: string, { modes }: WireFormat): Dialect | undefined {
  if (dialect.tokensMember === 'max_tokens' && /max_completion_tokens/.test(said))
    return { ...dialect, tokensMember: 'max_completion_tokens' };
  if (dialect.hasTemperature && /temperature/i.test(said)) return { ...dialect, hasTemperature: false };
  if (dialect.isStreamed && /\bstream/i.test(said)) return { ...dialect, isStreamed: false };
  const next: AnswerMode | undefined = modes[modes.indexOf(dialect.mode) + 1];
  return next === undefined ? undefined : { ...dialect, mode: next };
}
