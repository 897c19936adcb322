// Edits of real applications through their own interfaces: each that changes what is watched is told by the next check, and no other, as their own files have it (D36).
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Check } from '@weft/contract';
import { takeHome } from '../../bench/apps/runner.ts';
import { freePort } from '../../bench/src/processes.ts';
import { SETTINGS } from '../../bench/src/settings.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { VERSION, startChangeDetection } from '../others/changedetection.ts';
import { startProducts, startWiki } from '../others/edited-apps.ts';
import type { EditedApp, EditedThing } from '../others/edited-apps.ts';
import { startMediaWiki } from '../others/edited-mediawiki.ts';
import { startRedmine } from '../others/edited-redmine.ts';
import { startWordPress } from '../others/edited-wordpress.ts';
import { WEBCHANGES, openWebChanges } from '../others/webchanges.ts';

export const needs = 'Debian packages of applications, and changedetection.io and webchanges from PyPI';

const STARTS: Readonly<Record<string, (home: string) => Promise<EditedApp>>> = {
  'json-server': startProducts,
  dokuwiki: startWiki,
  mediawiki: startMediaWiki,
  wordpress: startWordPress,
  redmine: startRedmine,
};
/** By the second their files say when they were written, and so do their caches. */
const SECOND_MS = 1100;
const MINUTE_MS = 60_000;

/** One who watches: the places of the things that it tells as changed, and of those that it could not look at. */
interface Watcher {
  readonly name: string;
  check(): Promise<{ readonly changed: ReadonlySet<number>; readonly failed: ReadonlySet<number> }>;
}

interface Score {
  missed: number;
  falseAlarms: number;
  failed: number;
}

/** A round is one edit, half of them of what is watched. All things are edited once, then everybody looks. `BENCH_RIVALS=no` leaves others out, `BENCH_APPS=redmine,mediawiki` takes some. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  using _home = takeHome(SETTINGS.appsFolder);
  await using stack = new AsyncDisposableStack();
  const random = mulberry32(seed);
  const apps: EditedApp[] = [];
  const chosen = Object.entries(STARTS).filter(([name]) => SETTINGS.appNames.length === 0 || SETTINGS.appNames.includes(name));
  for (const [, start] of chosen) apps.push(stack.adopt(await start(SETTINGS.appsFolder), async (app) => await app.close()));
  const things = apps.flatMap((app) => app.things);
  for (const { name, version, things: own } of apps) log(`${name} ${version}: ${own.length} pages`);
  const agent = stack.use(await startTestAgent());
  const gates = new Map<string, number>();
  const watchers: Watcher[] = [await ourselves(agent, things, gates, log)];
  if (SETTINGS.hasRivals) watchers.push(...(await rivals(things, stack)));
  for (const { check } of watchers) await check();
  const scores = new Map(watchers.map(({ name }) => [name, { missed: 0, falseAlarms: 0, failed: 0 } satisfies Score as Score]));
  let [edits, relevant] = [0, 0];
  while (edits < rounds) {
    await sleep(SECOND_MS);
    const batch = things.slice(0, rounds - edits);
    const isOfValue = batch.map(() => random() < 0.5);
    for (const [i, thing] of batch.entries()) await edit(thing, isOfValue[i] === true, random);
    edits += batch.length;
    relevant += isOfValue.filter(Boolean).length;
    await sleep(SECOND_MS);
    for (const { name, check } of watchers) count(await check(), isOfValue, scores.get(name));
    log(`${edits} edits, ${relevant} of what is watched: ${[...scores].map(([name, score]) => `${name} ${shown(score)}`).join('; ')}`);
  }
  log(`gates that let no more through, of our checks without a change: ${[...gates].map(([gate, n]) => `${gate} ${n}`).join(', ')}`);
  assert.deepEqual(scores.get(watchers[0]?.name ?? ''), { missed: 0, falseAlarms: 0, failed: 0 });
}

/** The file of the application has to agree that it was, or was not, an edit of what is watched. */
async function edit(thing: EditedThing, isOfValue: boolean, random: () => number): Promise<void> {
  const before = await thing.value();
  await (isOfValue ? thing.editValue(random) : thing.editOther(random));
  const after = await thing.value();
  assert.equal(after !== before, isOfValue, `${thing.url}: ${before} became ${after}`);
}

function count(seen: Awaited<ReturnType<Watcher['check']>>, isOfValue: readonly boolean[], score: Score | undefined): void {
  assert.ok(score);
  for (const [i, isEdited] of isOfValue.entries()) {
    if (seen.failed.has(i)) score.failed++;
    else if (isEdited && !seen.changed.has(i)) score.missed++;
    else if (!isEdited && seen.changed.has(i)) score.falseAlarms++;
  }
  // What nobody touched is not told either.
  score.falseAlarms += [...seen.changed].filter((i) => i >= isOfValue.length).length;
}

/** Monitors as they are unless somebody says otherwise, with a selector. */
async function ourselves(
  agent: TestAgent,
  things: readonly EditedThing[],
  gates: Map<string, number>,
  log: CampaignOptions['log'],
): Promise<Watcher> {
  const { client } = agent;
  const ids: number[] = [];
  for (const { url, selector } of things) ids.push((await client.monitors.create({ url, active: false, selectors: [{ selector }] })).id);
  return {
    name: 'Weft',
    async check() {
      agent.clock.advance(MINUTE_MS);
      const seen = { changed: new Set<number>(), failed: new Set<number>() };
      for (const [i, id] of ids.entries()) {
        await client.monitors.run({ id, wait: true });
        const [check] = (await client.monitors.checks({ id, limit: 1 })).data;
        assert.ok(check);
        if (check.verdict === 'trouble') {
          seen.failed.add(i);
          log(`${things[i]?.url}: ${check.state}, ${check.failure}: ${check.trace.flatMap(({ reasons }) => reasons).join(' ')}`);
        } else if (check.changes.length > 0) seen.changed.add(i);
        else if (check.verdict === 'unchanged') addGate(check, gates);
      }
      return seen;
    },
  };
}

/** The gate at which a check without a change ended, which its trace has to name with a reason. */
function addGate({ trace, run_id: runId }: Check, gates: Map<string, number>): void {
  const last = trace.findLast(({ outcome, reasons }) => outcome !== 'passed' && reasons.length > 0);
  assert.ok(last, `check ${runId} has no gate that says why: ${JSON.stringify(trace)}`);
  const name = `${last.gate} (${last.reasons[0]})`;
  gates.set(name, (gates.get(name) ?? 0) + 1);
}

/** The same things, watched as their own documents advise. */
async function rivals(things: readonly EditedThing[], stack: AsyncDisposableStack): Promise<readonly Watcher[]> {
  const isJson = ({ selector }: EditedThing) => selector.startsWith('jsonpath/');
  const program = stack.adopt(await startChangeDetection(await freePort(), { hasProxy: false }), async (one) => await one.close());
  const uuids: string[] = [];
  for (const thing of things) {
    const filter = isJson(thing) ? `json:${thing.selector.slice('jsonpath/'.length)}` : thing.selector;
    uuids.push(await program.make('watch', { url: thing.url, include_filters: [filter] }));
  }
  const pages = things.map((thing, i) => ({
    name: `page ${i}`,
    url: thing.url,
    ...(isJson(thing) ? { lines: '"price"' } : { css: thing.selector }),
  }));
  const webchanges = stack.use(await openWebChanges(pages));
  const placesOf = (names: ReadonlySet<string>) => new Set([...names].map((name) => Number(name.replace('page ', ''))));
  return [
    {
      name: `changedetection.io ${VERSION}`,
      async check() {
        const came = await program.check(uuids);
        const of = (what: string) => new Set(uuids.flatMap((uuid, i) => (came.get(uuid) === what ? [i] : [])));
        return { changed: of('changed'), failed: of('failed') };
      },
    },
    {
      name: `webchanges ${WEBCHANGES}`,
      async check() {
        const { changed, failed } = await webchanges.check();
        return { changed: placesOf(changed), failed: placesOf(failed) };
      },
    },
  ];
}

function shown({ missed, falseAlarms, failed }: Score): string {
  return `missed ${missed}, false ${falseAlarms}, could not look ${failed}`;
}
