// weft model test
import { EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import { pairs } from '../../table.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const tested = await client.models.test({}, { signal: context.signal });
  const { provider, model, url, status, latency_ms: ms, requests, tokens_in: tokensIn, tokens_out: tokensOut, failure } = tested;
  const about = tested.tokens_estimated ? ' (about)' : '';
  const facts: [string, unknown][] = [
    ...(model === undefined
      ? []
      : ([
          ['model', model],
          ['provider', provider],
          ['at', url],
        ] as [string, unknown][])),
    ['answer', failure ? failure.message : `good, as ${tested.mode}`],
    ['latency', `${ms} ms, ${requests} requests`],
    ['tokens', `${tokensIn} in, ${tokensOut} out${about}`],
  ];
  if (failure) facts.push(['cause', failure.reason], ['do', failure.fix]);
  context.show(tested, pairs(facts));
  return status === 'succeeded' ? EXIT.done : EXIT.failed;
};
