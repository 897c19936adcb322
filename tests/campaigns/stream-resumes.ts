// One stream of events, cut again and again: `eventsource`, which nobody here wrote, resumes it, and misses and doubles nothing.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerEvent } from '@weft/contract';
import { bringPackages } from '../../bench/apps/packages.ts';
import { SETTINGS } from '../../bench/src/settings.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { mulberry32 } from '../conformance/fuzz.ts';

export const needs = 'eventsource from npm';

const VERSION = '5.1.5';
/** Between two cuts. */
const EVENTS_MAX = 4;

/** What is used of `eventsource`. */
interface Source {
  onmessage: ((event: { readonly data: string; readonly lastEventId: string }) => void) | null;
  onerror: ((event: { readonly code?: number }) => void) | null;
  close(): void;
}
type SourceClass = new (url: string, options: { readonly fetch: typeof fetch }) => Source;

/** A round is a resumption. The run goes on meanwhile, and has a step for each round and more. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const EventSource = await bringEventSource();
  const random = mulberry32(seed);
  await using agent = await startTestAgent();
  const items = Array.from({ length: rounds * EVENTS_MAX }, (_, item) => item);
  const { id } = await agent.client.workflows.create({
    name: 'Steps',
    steps: [{ id: 'all', type: 'forEach', items, as: 'item', body: [{ id: 'row', type: 'emit', rows: [{ item: '{{item}}' }] }] }],
  });
  const { id: runId } = await agent.client.workflows.run({ id });
  let connections = 0;
  const cutting: typeof fetch = async (url, init) => {
    connections++;
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${agent.token}`);
    return cutAfter(await fetch(url, { ...init, headers }), 1 + Math.floor(random() * EVENTS_MAX), connections <= rounds);
  };
  const seen = await allEvents(EventSource, `${agent.baseUrl}/v1/runs/${runId}/events`, cutting);
  assert.ok(connections > rounds, `resumed ${connections - 1} times`);
  assert.deepEqual(seen, await knownEvents(agent, runId));
  log(`${seen.length} events over ${connections} connections, each once and in order`);
}

/** What it hears until the run has ended, by the ids of events. */
async function allEvents(EventSource: SourceClass, url: string, cutting: typeof fetch): Promise<readonly number[]> {
  const seen: number[] = [];
  await new Promise<void>((resolve, reject) => {
    const source = new EventSource(url, { fetch: cutting });
    source.onmessage = ({ data, lastEventId }) => {
      const { type } = JSON.parse(data) as { readonly type: string };
      // The first of a stream has no number.
      if (type !== 'snapshot') seen.push(Number(lastEventId));
      if (type !== 'finished') return;
      source.close();
      resolve();
    };
    source.onerror = ({ code }) => {
      if (code === undefined) return;
      source.close();
      reject(new Error(`the stream ended with ${code}`));
    };
  });
  return seen;
}

async function knownEvents({ client }: TestAgent, runId: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for await (const { id } of (await client.runs.events({ id: runId })) as AsyncIterable<ServerEvent>) if (id !== undefined) ids.push(id);
  return ids;
}

/** The same answer, which breaks off after so many events where `isCut`; who reads it is told to come back at once. */
function cutAfter(response: Response, events: number, isCut: boolean): Response {
  if (!response.body) return response;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let left = isCut ? events : Number.POSITIVE_INFINITY;
  const body = new ReadableStream<string>({
    start: (to) => to.enqueue('retry: 1\n\n'),
    async pull(to) {
      const { value = '', done } = await reader.read();
      const parts = value.split(/(?<=\n\n)/).slice(0, left);
      left -= parts.filter((part) => part.endsWith('\n\n')).length;
      if (parts.length > 0) to.enqueue(parts.join(''));
      if (!done && left > 0) return;
      to.close();
      await reader.cancel().catch(() => undefined);
    },
  });
  return new Response(body.pipeThrough(new TextEncoderStream()), { status: response.status, headers: response.headers });
}

async function bringEventSource(): Promise<SourceClass> {
  const folder = join(SETTINGS.appsFolder, 'eventsource');
  mkdirSync(folder, { recursive: true });
  await bringPackages({ npm: { eventsource: VERSION } }, SETTINGS.appsFolder, folder);
  const file = createRequire(join(folder, 'package.json')).resolve('eventsource');
  return ((await import(pathToFileURL(file).href)) as { readonly EventSource: SourceClass }).EventSource;
}
