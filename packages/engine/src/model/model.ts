// What the engine asks of a language model: one question, one answer that fits a schema, within bounds on both sides.

/** One question. Nothing of it is kept by the client; whoever asks keeps every secret out of it (D34). */
export interface ModelQuestion {
  /** What the answer is called, for endpoints that want a name: a small letter, then a-z, 0-9 and _. */
  readonly name: string;
  /** Who the model is to be and what it may do: our own words alone. */
  readonly system: string;
  /** What is asked, with what others wrote marked as such. */
  readonly text: string;
  /** JSON Schema (2020-12) of an object, which the endpoint is told. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What every answer is held to, whatever the endpoint promises: `schema`, unless whoever asks mends a part of it and says less here. */
  readonly accepts?: Readonly<Record<string, unknown>> | undefined;
  /** Bounds of this question; they only narrow those of the model's settings. */
  readonly bounds?: Partial<ModelBounds> | undefined;
}

/** How much may go out and come back for one question. */
export interface ModelBounds {
  /** Tokens of the question, as estimated here before anything is sent. */
  readonly inputTokensMax: number;
  /** Tokens of the answer, told to the endpoint. */
  readonly outputTokensMax: number;
  /** Bytes of the answer, after decompression. */
  readonly answerBytesMax: number;
  /** Milliseconds for all tries together. */
  readonly timeoutMs: number;
  /** Times that it is asked where no whole answer comes; what an endpoint refuses for its form is none. */
  readonly triesMax: number;
}

/** What a question cost, whether it was answered or not. */
export interface ModelSpending {
  /** Of all tries; as the endpoint says, else as estimated here. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** True where the endpoint did not say. */
  readonly isEstimated: boolean;
  /** Requests that were sent. */
  readonly requests: number;
}

/** How an answer was asked for. */
export type AnswerMode = 'json_schema' | 'tool' | 'text';

/** An answer that fits the schema of its question. */
export interface ModelAnswer {
  readonly value: unknown;
  readonly mode: AnswerMode;
  readonly spent: ModelSpending;
}

/** A language model. */
export interface Model {
  /** The name in the settings and what the endpoint calls it, for records and people: `local (qwen3:8b)`. */
  readonly label: string;
  /** What its settings allow for one question. */
  readonly bounds: ModelBounds;
  /** Throws ModelError, and PageError `aborted`. */
  ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer>;
}

/**
 * Why there is no answer. `unreachable`: no connection, or an address that is refused. `key`: it is missing, or not accepted. `refused`: the
 * endpoint does not take the question. `rate_limited`, `server_error`, `timeout`: still so after the last try. `cut`: the answer broke off.
 * `too_large`: more bytes than may come. `too_long`: the question has more tokens than may go. `length`: the answer ended at its tokens.
 * `declined`: the model would not answer. `malformed`: no JSON, or nothing that the format knows. `misfit`: JSON that does not fit.
 */
export type ModelFailure =
  | 'unreachable'
  | 'key'
  | 'refused'
  | 'rate_limited'
  | 'server_error'
  | 'timeout'
  | 'cut'
  | 'too_large'
  | 'too_long'
  | 'length'
  | 'declined'
  | 'malformed'
  | 'misfit';

/** A question without a usable answer. `message` is a public sentence, which never holds the key or what was asked. */
export class ModelError extends Error {
  readonly reason: ModelFailure;
  readonly spent: ModelSpending;

  constructor(reason: ModelFailure, message: string, spent: ModelSpending = NOTHING_SPENT, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ModelError';
    this.reason = reason;
    this.spent = spent;
  }
}

/** What was spent before anything was sent. */
export const NOTHING_SPENT: ModelSpending = { inputTokens: 0, outputTokens: 0, isEstimated: false, requests: 0 };

/** Both together. */
export function addSpending(one: ModelSpending, other: ModelSpending): ModelSpending {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    isEstimated: one.isEstimated || other.isEstimated,
    requests: one.requests + other.requests,
  };
}

/**
 * How many tokens a text has at most, near enough to hold a question to a bound: three bytes each, where tokenizers take about four of English
 * and three of what is written without an alphabet.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}
