// Traces in the form of OpenTelemetry: spans of a call, of the work that it leads to in other processes, and of what is asked for then.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';
type Value = string | number | boolean;

/** What is known of a piece of work while it goes on. */
export interface Span {
  /** Names it better than it could be named when it began. */
  rename(name: string): void;
  set(attributes: Readonly<Record<string, Value | undefined>>): void;
}

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Readonly<Record<string, Value | undefined>>;
  /** What it is a part of, as another process wrote it: a `traceparent` (W3C Trace Context, 3.2). The span around it unless said. */
  readonly parent?: string | undefined;
}

export interface Tracer {
  /** Runs `work` as a span, which says so where it throws. */
  trace<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** The span that this is a part of, for another process to go on with; undefined outside of any. */
  parent(): string | undefined;
  /** The same, to tell more of it. */
  current(): Span | undefined;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

interface Context {
  readonly traceId: string;
  readonly spanId: string;
  readonly span?: Span;
}

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };
const ERROR = 2;

/** A tracer that traces nothing. */
export const NO_TRACER: Tracer = {
  trace: (_name, _options, work) => work({ rename: () => undefined, set: () => undefined }),
  parent: () => undefined,
  current: () => undefined,
  close: async () => undefined,
};

/** What sends spans: OTLP in JSON. */
export interface SpanExporter {
  export(spans: readonly object[]): Promise<void>;
}

const EVERY_MS = 2000;
/** What waits to be sent at most; a collector that takes nothing must not fill the memory. */
const WAITING_MAX = 2048;

/** A tracer whose spans go to `exporter`; what could not be sent is told to `onLoss` and gone. */
export function createTracer(exporter: SpanExporter, onLoss: (spans: number, error: unknown) => void): Tracer {
  const current = new AsyncLocalStorage<Context>();
  let waiting: object[] = [];
  let sending: Promise<void> = Promise.resolve();
  const flush = () => {
    const spans = waiting;
    waiting = [];
    if (spans.length > 0) sending = sending.then(() => exporter.export(spans)).catch((error: unknown) => onLoss(spans.length, error));
    return sending;
  };
  const timer = setInterval(() => void flush(), EVERY_MS).unref();
  const add = (span: object) => {
    if (waiting.length >= WAITING_MAX) onLoss(1, new Error(`more than ${WAITING_MAX} spans wait to be sent`));
    else waiting.push(span);
  };
  return {
    async trace(name, { kind = 'internal', attributes = {}, parent }, work) {
      const above = parse(parent) ?? current.getStore();
      const context: Context = { traceId: above?.traceId ?? randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') };
      const span = { name, attributes: { ...attributes } as Record<string, Value | undefined> };
      const startNs = nowNs();
      const end = (failure?: unknown) =>
        add({
          traceId: context.traceId,
          spanId: context.spanId,
          ...(above ? { parentSpanId: above.spanId } : {}),
          name: span.name,
          kind: KINDS[kind],
          startTimeUnixNano: String(startNs),
          endTimeUnixNano: String(nowNs()),
          attributes: attributesOf(span.attributes),
          ...(failure === undefined ? {} : { status: { code: ERROR, message: failure instanceof Error ? failure.name : 'failed' } }),
        });
      const told: Span = {
        rename: (better) => void (span.name = better),
        set: (more) => void Object.assign(span.attributes, more),
      };
      try {
        const result = await current.run({ ...context, span: told }, () => work(told));
        end();
        return result;
      } catch (error) {
        end(error ?? 'failed');
        throw error;
      }
    },
    parent() {
      const context = current.getStore();
      return context && `00-${context.traceId}-${context.spanId}-01`;
    },
    current: () => current.getStore()?.span,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Sends spans to a collector as OTLP over HTTP in JSON. An operator's address: no gate stands before it. */
export function otlpExporter(
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  resource: Readonly<Record<string, Value>>,
): SpanExporter {
  return {
    async export(spans) {
      const body = {
        resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans: [{ scope: { name: 'weft' }, spans }] }],
      };
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(10_000),
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`The collector answered ${response.status}.`);
    },
  };
}

function parse(traceparent: string | undefined): Context | undefined {
  const [, traceId = '', spanId = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent ?? '') ?? [];
  return /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(spanId) ? { traceId, spanId } : undefined;
}

function nowNs(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;
}

function attributesOf(attributes: Readonly<Record<string, Value | undefined>>): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]): readonly object[] => {
    if (value === undefined) return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }];
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}
