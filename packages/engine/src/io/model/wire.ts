// What the two wire formats have in common: a question becomes a body, an answer's body becomes text or a reason why there is none.
import type { AnswerMode, ModelFailure, ModelQuestion } from '../../model/model.ts';

/** What of its format an endpoint takes. It is learned from refusals and remembered, so that each is met once. */
export interface Dialect {
  readonly mode: AnswerMode;
  readonly isStreamed: boolean;
  /** What bounds the answer is called: newer models of OpenAI refuse the older name, other servers know no other. */
  readonly tokensMember: 'max_tokens' | 'max_completion_tokens';
  /** Models that think first refuse it. */
  readonly hasTemperature: boolean;
}

/** What is put to an endpoint. */
export interface WireQuestion extends Pick<ModelQuestion, 'name' | 'system' | 'text' | 'schema'> {
  /** The model's name at the endpoint. */
  readonly model: string;
  readonly outputTokensMax: number;
  readonly dialect: Dialect;
}

/** What an answer says. `text` is JSON as the model wrote it, not yet read. */
export interface WireAnswer {
  readonly text: string;
  /** Of an answer that is a call of a tool, which one. */
  readonly tool?: string;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  /** Set where it can't be used: it broke off, was cut at its length, was declined, or is not of this format. */
  readonly failure?: { readonly reason: ModelFailure; readonly sentence: string };
}

/** One of the two formats. */
export interface WireFormat {
  /** Where questions go, below the address in the settings. */
  readonly path: string;
  /** How answers can be asked for, best first. */
  readonly modes: readonly [AnswerMode, ...AnswerMode[]];
  headers(key: string | undefined): Readonly<Record<string, string>>;
  body(question: WireQuestion): object;
  /** Reads a whole JSON body. */
  readJson(value: unknown): WireAnswer;
  /** Reads the events of a stream, as they came, to its end or to where it broke off. */
  readEvents(events: readonly unknown[]): WireAnswer;
}

/** Where text alone is to be had: what to write, behind our own words. */
export function textInstruction(schema: object): string {
  return `Answer with one JSON object and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** A member of what an endpoint sent, which may be anything. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

export function textMember(value: unknown, name: string): string {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : '';
}

export function listMember(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member : [];
}

/** A count of tokens, where what is sent is one. */
export function countMember(value: unknown, name: string): number | undefined {
  const member = memberOf(value, name);
  return typeof member === 'number' && Number.isSafeInteger(member) && member >= 0 ? member : undefined;
}

/** A stream that ended without saying so. */
export const CUT = { reason: 'cut', sentence: 'the answer broke off before its end' } as const;
/** An answer at the end of what it may have. */
export const AT_LENGTH = { reason: 'length', sentence: 'the answer was cut at the tokens that it may have' } as const;
/** An answer that is none. */
export const DECLINED = { reason: 'declined', sentence: 'the model declined to answer' } as const;
/** What no reader of the format understands. */
export const NO_ANSWER = { reason: 'malformed', sentence: 'what came is no answer of this format' } as const;
