// Asks a model over the network: through the address gate, within bounds, again where that may help, and with what it cost told.
import { isRefusal, retryAtOf } from '../../crawl/hosts/host-pace.ts';
import type { CrawlClock } from '../../crawl/crawl-ports.ts';
import { PageError } from '../../errors.ts';
import { createMasker } from '../../mask/masker.ts';
import { addSpending, estimateTokens, ModelError, NOTHING_SPENT } from '../../model/model.ts';
import type { Model, ModelAnswer, ModelBounds, ModelFailure, ModelQuestion, ModelSpending } from '../../model/model.ts';
import { createAnswerReader } from '../../model/read-answer.ts';
import type { ReadAnswer } from '../../model/read-answer.ts';
import type { Fetcher, Page } from '../../ports.ts';
import { afterRefusal, firstDialect } from './dialect.ts';
import { createEventCheck, readEventData } from './events.ts';
import { memberOf, NO_ANSWER, textMember } from './wire.ts';
import type { Dialect, WireAnswer, WireFormat } from './wire.ts';

/** Which model is asked, and how. */
export interface ModelTarget {
  /** Its name in the settings. */
  readonly name: string;
  /** What the endpoint calls it. */
  readonly model: string;
  /** An http or https address without query; the format's path is put behind it. */
  readonly baseUrl: string;
  readonly format: WireFormat;
  readonly bounds: ModelBounds;
}

/** What the client stands on. */
export interface ModelPorts {
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  readonly clock: CrawlClock;
  /** A number from 0 to 1, for how long a rest is. */
  readonly random: () => number;
  /** The key, for sending it now; undefined where the endpoint wants none. What it throws ends the question with `key`. */
  readonly key: () => Promise<string | undefined>;
}

const REST_FIRST_MS = 500;
const REST_MAX_MS = 20_000;
/** An endpoint that refuses the form of questions has so many forms to refuse. */
const DIALECTS_MAX = 6;
const SAID_CHARS_MAX = 200;

/** A model at an endpoint. What the endpoint turns out not to take is remembered as long as the model is. */
export function createModelClient(target: ModelTarget, ports: ModelPorts): Model {
  const memory = { dialect: firstDialect(target.format) };
  return {
    label: `${target.name} (${target.model})`,
    bounds: target.bounds,
    ask: (question, signal) => new Asking(target, ports, memory, question, signal).run(),
  };
}

/** One question, from its first request to its end. */
class Asking {
  private readonly target: ModelTarget;
  private readonly ports: ModelPorts;
  private readonly memory: { dialect: Dialect };
  private readonly question: ModelQuestion;
  private readonly signal: AbortSignal;
  private readonly bounds: ModelBounds;
  private readonly untilMs: number;
  private readonly read: (text: string) => ReadAnswer;
  private spent: ModelSpending = NOTHING_SPENT;

  constructor(target: ModelTarget, ports: ModelPorts, memory: { dialect: Dialect }, question: ModelQuestion, signal: AbortSignal) {
    this.target = target;
    this.ports = ports;
    this.memory = memory;
    this.question = question;
    this.signal = signal;
    this.bounds = narrowed(target.bounds, question.bounds);
    this.untilMs = ports.clock.steadyMs() + this.bounds.timeoutMs;
    this.read = createAnswerReader(question.accepts ?? question.schema);
  }

  async run(): Promise<ModelAnswer> {
    const inputTokens = estimateTokens(this.question.system + this.question.text + JSON.stringify(this.question.schema));
    if (inputTokens > this.bounds.inputTokensMax)
      throw this.failure('too_long', `the question has about ${inputTokens} tokens, and ${this.bounds.inputTokensMax} may go out`);
    const key = await this.key();
    let refused = 0;
    for (let attempt = 1; ;) {
      const { dialect } = this.memory;
      const outcome = await this.request(dialect, key, inputTokens);
      if (outcome.kind === 'answer') return { value: outcome.value, mode: dialect.mode, spent: this.spent };
      if (outcome.kind === 'form') {
        const next = ++refused < DIALECTS_MAX ? afterRefusal(dialect, outcome.said, this.target.format) : undefined;
        if (!next) throw this.failure('refused', `it refused the question (${outcome.status})${this.quoted(outcome.said, key)}`);
        // Another question may have learned more meanwhile.
        if (this.memory.dialect === dialect) this.memory.dialect = next;
        continue;
      }
      if (!outcome.isWorthAnother || attempt >= this.bounds.triesMax) throw this.failure(outcome.reason, outcome.sentence, outcome.cause);
      await this.rest(attempt++, outcome);
    }
  }

  private async key(): Promise<string | undefined> {
    try {
      return await this.ports.key();
    } catch (error) {
      throw this.failure('key', `its key could not be had: ${error instanceof Error ? error.message : 'no reason given'}`, error);
    }
  }

  private async request(dialect: Dialect, key: string | undefined, inputTokens: number): Promise<Outcome> {
    const { format, baseUrl, model } = this.target;
    const { name, system, text, schema } = this.question;
    const { answerBytesMax: bodyBytesMax, outputTokensMax } = this.bounds;
    const body = format.body({ name, system, text, schema, model, outputTokensMax, dialect });
    const leftMs = this.untilMs - this.ports.clock.steadyMs();
    if (leftMs <= 0) return { ...TIMEOUT, sentence: `no answer within ${this.bounds.timeoutMs} ms`, isWorthAnother: false };
    let page: Page;
    try {
      page = await this.ports.fetcher.fetch(
        {
          url: `${baseUrl.replace(/\/+$/, '')}/${format.path}`,
          lane: 'http',
          method: 'POST',
          headers: { ...format.headers(key), 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: new TextEncoder().encode(JSON.stringify(body)),
          timeoutMs: leftMs,
          bodyBytesMax,
          followRedirects: false,
          checkBody: createEventCheck(),
        },
        this.signal,
      );
    } catch (error) {
      return this.unanswered(error, inputTokens);
    }
    if (page.status !== 200) return this.refusal(page, key);
    return this.answer(readWire(page, format), inputTokens, page.body.length);
  }

  /** What a request without an answer means. What has begun to arrive may have to be paid. */
  private unanswered(error: unknown, inputTokens: number): Outcome {
    if (!(error instanceof PageError) || error.code === 'aborted') throw error;
    const isBegun = error.code === 'truncated' || error.code === 'body_too_large';
    this.count(isBegun ? { inputTokens, outputTokens: 0 } : {}, isBegun);
    const reason = FAILURE_OF_PAGE[error.code] ?? 'unreachable';
    // Sentences of the fetcher name the address, and never what was sent to it.
    return {
      kind: 'failure',
      reason,
      sentence: error.message,
      cause: error,
      isWorthAnother: error.next === 'retry' && reason !== 'timeout',
    };
  }

  /** What a status that is no answer means. */
  private refusal({ status, headers, body }: Page, key: string | undefined): Outcome {
    this.count({}, false);
    const text = new TextDecoder().decode(body.subarray(0, 20_000));
    const said = saidIn(text);
    if (status === 401 || status === 403)
      return failed('key', `it does not accept the key (${status})${key === undefined ? '; none was sent' : ''}`);
    const header = (wanted: string) => headers.find(([name]) => name === wanted)?.[1];
    if (isRefusal({ status, retryAtMs: undefined }) || status >= 500 || status === 408 || status === 409) {
      const reason = status === 429 ? 'rate_limited' : 'server_error';
      const notBeforeMs = this.notBefore(header('retry-after-ms'), header('retry-after'));
      return { ...failed(reason, `it answered ${status}${this.quoted(said, key)}`), isWorthAnother: true, notBeforeMs };
    }
    if (status === 400 || status === 422 || status === 501) return { kind: 'form', status, said };
    return failed('refused', `it answered ${status}${this.quoted(said, key)}`);
  }

  /** When the endpoint wants to be asked again, on the steady scale. Parts of a second are common here, though no header should have them. */
  private notBefore(milliseconds: string | undefined, seconds: string | undefined): number | undefined {
    const { clock } = this.ports;
    const count = (text: string | undefined) => (/^\s*\d{1,9}(?:\.\d{1,9})?\s*$/.test(text ?? '') ? Number(text) : undefined);
    const ms = count(milliseconds) ?? (count(seconds) ?? Number.NaN) * 1000;
    return Number.isNaN(ms) ? retryAtOf(seconds, clock) : clock.steadyMs() + Math.ceil(ms);
  }

  private answer(wire: WireAnswer, inputTokens: number, bytes: number): Outcome {
    const isTold = wire.inputTokens !== undefined && wire.outputTokens !== undefined;
    this.count({ inputTokens: wire.inputTokens ?? inputTokens, outputTokens: wire.outputTokens ?? Math.ceil(bytes / 3) }, !isTold);
    if (wire.failure) return { ...failed(wire.failure.reason, wire.failure.sentence), isWorthAnother: wire.failure.reason === 'cut' };
    if (wire.tool !== undefined && wire.tool !== this.question.name) return failed('malformed', 'it called a tool that it was not offered');
    const read = this.read(wire.text);
    return 'value' in read ? { kind: 'answer', value: read.value } : failed(read.failure, read.sentence);
  }

  /** Rests before the next try: as long as it was asked to, else twice as long each time, by chance a little more or less. */
  private async rest(attempt: number, { notBeforeMs, reason, sentence, cause }: Extract<Outcome, { kind: 'failure' }>): Promise<void> {
    const { clock, random } = this.ports;
    const ownMs = Math.min(REST_MAX_MS, REST_FIRST_MS * 2 ** (attempt - 1)) * (0.75 + random() / 2);
    const wakeMs = Math.max(clock.steadyMs() + ownMs, notBeforeMs ?? 0);
    if (wakeMs >= this.untilMs) throw this.failure(reason, `${sentence}, and there is no time left to ask again`, cause);
    await clock.sleepUntil(wakeMs, this.signal);
    if (this.signal.aborted) throw new PageError('aborted', 'The question was cancelled.', { cause: this.signal.reason });
  }

  private count(tokens: { readonly inputTokens?: number; readonly outputTokens?: number }, isEstimated: boolean): void {
    const { inputTokens = 0, outputTokens = 0 } = tokens;
    this.spent = addSpending(this.spent, { inputTokens, outputTokens, isEstimated, requests: 1 });
  }

  /** What an endpoint says of a refusal, without the key, which some of them repeat. */
  private quoted(said: string, key: string | undefined): string {
    if (said === '') return '';
    return `: "${createMasker(key === undefined ? [] : [key]).text(said)}"`;
  }

  private failure(reason: ModelFailure, sentence: string, cause?: unknown): ModelError {
    return new ModelError(reason, `The model ${this.target.name} gave no answer: ${sentence.replace(/\.$/, '')}.`, this.spent, cause);
  }
}

/** What one request comes to. */
type Outcome =
  | { readonly kind: 'answer'; readonly value: unknown }
  /** Refused for its form: another may be taken. */
  | { readonly kind: 'form'; readonly status: number; readonly said: string }
  | {
      readonly kind: 'failure';
      readonly reason: ModelFailure;
      readonly sentence: string;
      readonly isWorthAnother: boolean;
      readonly notBeforeMs?: number | undefined;
      readonly cause?: unknown;
    };

const FAILURE_OF_PAGE: Readonly<Partial<Record<PageError['code'], ModelFailure>>> = {
  timeout: 'timeout',
  truncated: 'cut',
  body_too_large: 'too_large',
  bad_response: 'malformed',
};

const TIMEOUT = { kind: 'failure', reason: 'timeout' } as const;

function failed(reason: ModelFailure, sentence: string): Extract<Outcome, { kind: 'failure' }> {
  return { kind: 'failure', reason, sentence, isWorthAnother: false };
}

function narrowed(bounds: ModelBounds, asked: Partial<ModelBounds> = {}): ModelBounds {
  const least = (name: keyof ModelBounds) => Math.min(bounds[name], asked[name] ?? Infinity);
  return {
    inputTokensMax: least('inputTokensMax'),
    outputTokensMax: least('outputTokensMax'),
    answerBytesMax: least('answerBytesMax'),
    timeoutMs: least('timeoutMs'),
    triesMax: least('triesMax'),
  };
}

/** The answer in whichever way it came: servers that can't stream answer at once. */
function readWire({ body, contentType }: Page, format: WireFormat): WireAnswer {
  const text = new TextDecoder().decode(body);
  if (/^text\/event-stream\b/i.test(contentType ?? '')) {
    const events = readEventData(text);
    return events ? format.readEvents(events) : { text: '', inputTokens: undefined, outputTokens: undefined, failure: BROKEN_EVENT };
  }
  try {
    return format.readJson(JSON.parse(text));
  } catch {
    return { text: '', inputTokens: undefined, outputTokens: undefined, failure: NO_ANSWER };
  }
}

const BROKEN_EVENT = { reason: 'cut', sentence: 'an event of the stream is no JSON' } as const;

/** The sentence in an error's body: `{error: {message}}`, `{error}` or `{message}`; else its beginning. */
function saidIn(text: string): string {
  const said = sentenceOf(text) ?? text;
  return said
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, SAID_CHARS_MAX);
}

function sentenceOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const error = memberOf(value, 'error');
    return textMember(error, 'message') || (typeof error === 'string' ? error : '') || textMember(value, 'message') || undefined;
  } catch {
    return undefined;
  }
}
