// Does the same with many addresses: some at once, answers in order, and one that fails ends no other.
import type { CommandContext } from './context.ts';
import { EXIT, describeFailure, failureText, withoutExit } from './exit.ts';
import type { Failure } from './exit.ts';

/** What came of one address. */
export type Outcome<Result> = { readonly url: string; readonly result: Result; readonly failure?: undefined } | Failed;

/** An address of which nothing came. */
export interface Failed {
  readonly url: string;
  readonly result?: undefined;
  readonly failure: Failure;
}

/** The agent keeps the pace of each host; this many addresses are with it at a time. */
const AT_ONCE = 4;

/** The outcomes of `work` in the order of `urls`. Throws the failure of the only address, and one that every address would meet. */
export async function* eachAddress<Result>(
  urls: readonly string[],
  work: (url: string) => Promise<Result>,
): AsyncGenerator<Outcome<Result>> {
  const attempt = async (url: string): Promise<Outcome<Result>> => {
    try {
      return { url, result: await work(url) };
    } catch (error) {
      const failure = describeFailure(error);
      if (urls.length === 1 || ENDS_ALL.has(failure.exitCode)) throw error;
      return { url, failure };
    }
  };
  const underWay: Promise<Outcome<Result>>[] = [];
  try {
    for (const url of urls) {
      underWay.push(attempt(url));
      if (underWay.length >= AT_ONCE) yield await (underWay.shift() as Promise<Outcome<Result>>);
    }
    while (underWay.length > 0) yield await (underWay.shift() as Promise<Outcome<Result>>);
  } finally {
    // Those behind the one that ended all are no failures of their own.
    for (const left of underWay) left.catch(() => undefined);
  }
}

/** No token, no agent, or a person who wants to stop. */
const ENDS_ALL = new Set<number>([EXIT.auth, EXIT.noAgent, EXIT.interrupted]);

export function hasFailed(outcome: Outcome<unknown>): outcome is Failed {
  return outcome.failure !== undefined;
}

/** Says what failed, and how many addresses did. */
export function sayFailures<Result>(context: CommandContext, outcomes: readonly Outcome<Result>[]): void {
  for (const { failure } of outcomes) if (failure) context.say(failureText(failure));
  const failed = outcomes.filter(({ failure }) => failure).length;
  if (failed > 0) context.say(`weft: ${failed} of ${outcomes.length} addresses failed`);
}

/** The exit code of all: `failed` where one failed. */
export function exitOf(outcomes: readonly Outcome<unknown>[]): number {
  return outcomes.some(({ failure }) => failure) ? EXIT.failed : EXIT.done;
}

/** An outcome as JSON shows it. */
export function outcomeJson({ url, failure }: Failed): object {
  return { url, ...withoutExit(failure) };
}
