// A changedetection.io with a watch of every kind backs itself up: what the guide takes over is what it makes today.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { startChangeDetection } from '../others/changedetection.ts';
import type { ChangeDetection } from '../others/changedetection.ts';

export const needs = 'Python, and changedetection.io from PyPI';

const PORT = 8478;
const BOOKS = 'http://books.toscrape.com';
const QUOTES = 'http://quotes.toscrape.com';
const BOOK = `${BOOKS}/catalogue/sapiens_5/index.html`;
const EVERY = { time_between_check_use_default: false };
const day = (enabled: boolean) => ({ enabled, start_time: '09:00', duration: { hours: '8', minutes: '00' } });

/** What people watch with it, one of each kind. The fixture of the guide is made of these. */
const WATCHES: readonly object[] = [
  { url: `${BOOKS}/`, title: 'Whole page' },
  { url: BOOK, title: 'Part by CSS', include_filters: ['.price_color'], ...EVERY, time_between_check: { minutes: 30 } },
  { url: BOOK, title: 'Part by XPath', include_filters: ['xpath://h1'] },
  { url: `${QUOTES}/`, title: 'Less its chrome', subtractive_selectors: ['.tags-box', 'footer'], ignore_text: ['/visits: \\d+/'] },
  { url: BOOK, title: 'Price and stock', processor: 'restock_diff', processor_config_restock_diff: { price_change_threshold_percent: 5 } },
  { url: BOOK, title: 'A number beyond a bound', conditions: [{ field: 'extracted_number', operator: '<', value: '20' }] },
  { url: `${QUOTES}/`, title: 'When a word comes', trigger_text: ['Einstein'], text_should_not_be_present: ['maintenance'] },
  { url: `${BOOKS}/`, title: 'New lines alone', check_unique_lines: true, sort_text_alphabetically: true },
  { url: `${QUOTES}/js/`, title: 'Written by a script', fetch_backend: 'html_webdriver', webdriver_delay: 1 },
  { url: `${QUOTES}/`, title: 'With headers', headers: { 'Accept-Language': 'de' }, method: 'GET' },
  {
    url: `${BOOKS}/`,
    title: 'In office hours',
    time_schedule_limit: {
      enabled: true,
      timezone: 'Europe/Berlin',
      ...Object.fromEntries(
        ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((name, place) => [name, day(place < 5)]),
      ),
    },
  },
  { url: `${QUOTES}/`, title: 'Told by mail', notification_urls: ['mailto://me@example.com'], notification_title: 'Changed' },
  {
    url: `${QUOTES}/js/`,
    title: 'After clicks',
    fetch_backend: 'html_webdriver',
    browser_steps: [{ operation: 'Click element', selector: 'li.next a', optional_value: '' }],
  },
  { url: `${QUOTES}/login`, title: 'Resting', paused: true, extract_text: ['/Login/'] },
];

/** Where the backup of the guide lies; delete it, and the campaign makes it anew. */
export const FIXTURE = join(import.meta.dirname, '..', 'vectors', 'changedetection-backup.zip');

/** A round is an instance from its start to what becomes of its backup. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const program = await startChangeDetection(PORT, { hasProxy: false });
    await using agent = await startTestAgent();
    try {
      const backup = await backupOf(program);
      if (!existsSync(FIXTURE)) writeFileSync(FIXTURE, withoutTokens(backup));
      const [now, kept] = [await importOf(agent, backup), await importOf(agent, readFileSync(FIXTURE))];
      assert.deepEqual(now, kept);
      assert.equal(now.monitors.length, WATCHES.length);
      log(`${now.monitors.length} monitors; left out:\n${now.leftOut.join('\n')}`);
    } finally {
      await program.close();
    }
  }
}

async function backupOf(program: ChangeDetection): Promise<Uint8Array> {
  const tag = await program.make('tag', { title: 'Shops' });
  for (const [place, watch] of WATCHES.entries()) await program.make('watch', place === 1 ? { ...watch, tags: [tag] } : watch);
  return await program.backUp();
}

/** The instance is gone, and its tokens open nothing; who looks for tokens finds none. */
function withoutTokens(backup: Uint8Array): Uint8Array {
  const blank = (text: string) => text.replaceAll(/("[a-z_]+_access_token": *")[0-9a-f]+"/g, '$1"');
  const files = Object.entries(unzipSync(backup)).map(([path, bytes]) => [path, strToU8(blank(strFromU8(bytes)))] as const);
  return zipSync(Object.fromEntries(files));
}

/** What a backup comes to, without the names that the program draws. */
async function importOf(agent: TestAgent, backup: Uint8Array) {
  const content = Buffer.from(backup).toString('base64');
  const { monitors, left_out: leftOut } = await agent.client.monitors.import({ format: 'changedetection', content, dry_run: true });
  const titles = new Map(monitors.map(({ path, monitor }) => [path, monitor.name ?? '']));
  return {
    monitors: monitors.map(({ monitor }) => JSON.stringify(monitor)).sort(),
    leftOut: leftOut
      .map(({ path, message }) => {
        const [, watch = '', member = ''] = /^([^/]+\/watch\.json)\.?(.*)$/.exec(path) ?? [];
        return `${titles.get(watch) ?? 'the instance'}, ${member || path}: ${message}`;
      })
      .sort(),
  };
}
