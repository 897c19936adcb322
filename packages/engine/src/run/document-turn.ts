// Lets a browser that is acted on ask hosts for documents in their turn, as everything else does (D32).
import type { WorkflowPorts } from './ports.ts';
import { PageError } from '../errors.ts';
import type { SessionOptions } from './session.ts';

const PACE = { inFlightMax: 2, gapMs: 0 };

/** Waits for a place at the host of each document, and gives it back once the document has come. */
export function documentTurn({ gate }: Pick<WorkflowPorts, 'gate'>): NonNullable<SessionOptions['beforeDocument']> {
  return async (url, signal) => {
    const grant = await gate.take(new URL(url).origin, PACE, signal);
    if (!grant) throw new PageError('rate_limited', `The host of ${url} asks to be left alone for now.`, { url });
    return () => void grant.end({ status: 200, retryAtMs: undefined });
  };
}
