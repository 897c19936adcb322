// What a failed step leaves behind for whoever looks into it: a picture, the page, and what was asked for last.
import { decodeBody } from '../html/encoding/decode.ts';
import type { Driver } from './drivers/driver.ts';
import type { RunState } from './state.ts';

const EVIDENCE_MS = 10_000;

/** Keeps the evidence of a step as files of the run; what can't be had is said in a warning. */
export async function keepEvidence(stepId: string, driver: Driver | undefined, state: RunState, signal: AbortSignal): Promise<void> {
  if (!driver || driver.url() === undefined) return;
  const bounds = { timeoutMs: EVIDENCE_MS, signal };
  const encoder = new TextEncoder();
  const keep = async (what: string, contentType: string, read: () => Promise<Uint8Array>) => {
    try {
      await state.keepFile({ name: `${stepId}-failed.${what}`, contentType, bytes: await read() });
    } catch (error) {
      signal.throwIfAborted();
      state.warn(`No ${what} was kept of ${stepId}: ${error instanceof Error ? error.message : 'it could not be had'}`);
    }
  };
  const { session } = driver;
  if (session) await keep('png', 'image/png', () => session.screenshot({}, bounds));
  await keep('html', 'text/html; charset=utf-8', async () => {
    const { body, contentType } = await driver.page(bounds);
    return encoder.encode(decodeBody(body, contentType).html);
  });
  const requests = session ? session.lastRequests() : state.lastRequests;
  await keep('requests.json', 'application/json', async () => encoder.encode(JSON.stringify(requests)));
}
