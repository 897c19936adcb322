// One request on one socket, with the body gathered as it comes: a stream and its iterator would cost more than all the rest of a small page.
import type { Dispatcher } from 'undici';

/** The first part of an answer. */
export interface ExchangeHead {
  readonly status: number;
  /** Name, value, name, value, as received. */
  readonly rawHeaders: readonly string[];
}

/** What happens to the bytes that arrive. */
type Use = 'gather' | 'discard';

/** Receives one answer of undici's dispatcher. The head comes first; then the body is asked for once, or discarded. */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Rejects with undici's and Node's own errors, and with the reason of the signal. */
  readonly head: Promise<ExchangeHead>;
  private readonly signal: AbortSignal;
  private readonly chunks: Uint8Array[] = [];
  private bytes = 0;
  private bytesMax = Infinity;
  private use: Use = 'gather';
  private isComplete = false;
  private failure: { readonly error: unknown } | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private readonly takeHead: (head: ExchangeHead) => void;
  private readonly refuseHead: (error: unknown) => void;
  /** Called at the end of the body, or when it fails. */
  private ended: (() => void) | undefined;
  /** Looks at each piece of the body as it comes. */
  private check: ((piece: Uint8Array) => Error | undefined) | undefined;
  private readonly abort = (): void => this.cut(this.signal.reason);

  /** `signal` ends the exchange at any time. */
  constructor(signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<ExchangeHead>();
    this.head = promise;
    this.takeHead = resolve;
    this.refuseHead = reject;
    this.signal = signal;
    signal.addEventListener('abort', this.abort);
    if (signal.aborted) this.abort();
  }

  /**
   * The whole body in a buffer of its own. Throws what `tooLarge` makes when there are more than `bytesMax` bytes, what `check` finds in a piece
   * of it, and undici's own errors.
   */
  async body(bytesMax: number, tooLarge: () => Error, check?: (piece: Uint8Array) => Error | undefined): Promise<Uint8Array> {
    this.bytesMax = bytesMax;
    this.check = check;
    for (const chunk of check ? this.chunks : []) this.refuse(check?.(chunk));
    if (!this.isComplete && this.bytes <= bytesMax && !this.failure) {
      await new Promise<void>((resolve) => {
        this.ended = resolve;
      });
    }
    if (this.bytes > bytesMax) {
      const error = tooLarge();
      this.cut(error);
      throw error;
    }
    if (this.failure) throw this.failure.error;
    return joined(this.chunks, this.bytes);
  }

  /** The first `bytesMax` bytes of the body, or what came of them before it ended or failed; the rest is cut. */
  async excerpt(bytesMax: number): Promise<Uint8Array> {
    await this.body(bytesMax, () => new Error('The rest of the body is of no use.')).catch(() => undefined);
    return joined(this.chunks, this.bytes).slice(0, bytesMax);
  }

  /** Lets a body of at most `bytesMax` bytes run out, so that its socket can be used again, and cuts one that is longer or announced so. */
  discard(bytesMax: number, announced: number): void {
    this.use = 'discard';
    this.chunks.length = 0;
    this.bytesMax = bytesMax;
    if (Math.max(announced, this.bytes) > bytesMax) this.cutRest();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure) controller.abort(toError(this.failure.error));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status >= 200) this.takeHead({ status, rawHeaders: textsOf(controller.rawHeaders) });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.bytes += chunk.length;
    if (this.use === 'gather') {
      this.chunks.push(chunk);
      this.refuse(this.check?.(chunk));
    }
    if (this.bytes <= this.bytesMax) return;
    if (this.use === 'discard') this.cutRest();
    else this.ended?.();
  }

  onResponseEnd(): void {
    this.isComplete = true;
    this.signal.removeEventListener('abort', this.abort);
    this.ended?.();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.fail(error);
  }

  /** A fault that was found in the body is one also where all of it is here. */
  private refuse(error: Error | undefined): void {
    if (!error || this.failure) return;
    if (this.isComplete) this.failure = { error };
    else this.cut(error);
  }

  private cutRest(): void {
    this.cut(new Error('The rest of the body is of no use.'));
  }

  private cut(error: unknown): void {
    if (this.isComplete) return;
    this.fail(error);
    this.controller?.abort(toError(error));
  }

  /** The first failure counts; whoever waits hears of it. */
  private fail(error: unknown): void {
    if (this.failure || this.isComplete) return;
    this.failure = { error };
    this.signal.removeEventListener('abort', this.abort);
    this.refuseHead(error);
    this.ended?.();
  }
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const body = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

/** Undici gives the bytes as it parsed them: Latin-1 (RFC 9110, 5.5). */
function textsOf(raw: Dispatcher.DispatchController['rawHeaders']): readonly string[] {
  return Array.isArray(raw) ? raw.map((each: string | Buffer) => (typeof each === 'string' ? each : each.toString('latin1'))) : [];
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
