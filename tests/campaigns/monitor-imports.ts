// Watches with every option of the API of changedetection.io, backed up by itself and imported: none is dropped without a word.
import assert from 'node:assert/strict';
import { parse } from 'yaml';
import type { ImportedMonitors, NewMonitor } from '@weft/contract';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { startTestAgent } from '../agent.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startChangeDetection } from '../others/changedetection.ts';
import type { ChangeDetection } from '../others/changedetection.ts';

/** Why the tests leave it out. */
export const needs = 'Python, and changedetection.io from PyPI';

const PORT = 8477;
/** Watches with several options each, a round. */
const MIXED_A_ROUND = 1;

/** Of each option that somebody can set a value that says something. */
const VALUES: Readonly<Record<string, object>> = {
  body: { body: 'a=1', method: 'POST' },
  browser_steps: { browser_steps: [{ operation: 'Click element', selector: '#more', optional_value: '' }] },
  check_unique_lines: { check_unique_lines: true },
  conditions: { conditions: [{ field: 'extracted_number', operator: '>', value: '5' }] },
  conditions_match_logic: {
    conditions_match_logic: 'ANY',
    conditions: [
      { field: 'page_filtered_text', operator: 'in', value: 'tea' },
      { field: 'page_filtered_text', operator: 'contains_regex', value: 'v\\d+' },
    ],
  },
  extract_lines_containing: { extract_lines_containing: ['Price'] },
  extract_text: { extract_text: ['/(\\d+) left/'] },
  fetch_backend: { fetch_backend: 'html_webdriver' },
  filter_failure_notification_send: { filter_failure_notification_send: false },
  filter_text_added: { filter_text_added: false },
  filter_text_removed: { filter_text_removed: false },
  filter_text_replaced: { filter_text_replaced: false },
  follow_price_changes: { processor: 'restock_diff', processor_config_restock_diff: { follow_price_changes: false } },
  headers: { headers: { 'Accept-Language': 'de' } },
  history_snapshot_max_length: { history_snapshot_max_length: 7 },
  ignore_status_codes: { ignore_status_codes: true },
  ignore_text: { ignore_text: ['visits', '/\\d+ online/'] },
  in_stock_only: { processor: 'restock_diff', processor_config_restock_diff: { in_stock_processing: 'all_changes' } },
  include_filters: { include_filters: ['.price', 'xpath://h1', 'xpath1://h2', 'json:$.price', 'jq:.items[].name'] },
  link_to_open: { link_to_open: 'https://shop.example/' },
  llm_backend_profile: { llm_backend_profile: false },
  llm_change_summary: { llm_change_summary: 'In one sentence.' },
  llm_change_summary_mode: { llm_change_summary_mode: 'append' },
  llm_intent: { llm_intent: 'Only when it is cheaper.' },
  method: { method: 'PUT' },
  notification_body: { notification_body: 'It changed.' },
  notification_format: { notification_format: 'markdown' },
  notification_muted: { notification_muted: true },
  notification_screenshot: { notification_screenshot: true },
  notification_title: { notification_title: 'Changed' },
  notification_urls: { notification_urls: ['json://127.0.0.1:9/hook'] },
  paused: { paused: true },
  price_change_threshold_percent: { processor: 'restock_diff', processor_config_restock_diff: { price_change_threshold_percent: 5 } },
  processor: { processor: 'restock_diff' },
  proxy: { proxy: 'local' },
  remove_duplicate_lines: { remove_duplicate_lines: true },
  sort_text_alphabetically: { sort_text_alphabetically: true },
  strip_ignored_lines: { strip_ignored_lines: true },
  subtractive_selectors: { subtractive_selectors: ['.ad', 'footer'] },
  tag: { tag: 'Nice stuff' },
  tags: {},
  text_should_not_be_present: { text_should_not_be_present: ['sold out'] },
  time_between_check: { time_between_check: { minutes: 15 }, time_between_check_use_default: false },
  time_between_check_use_default: { time_between_check: { days: 1 }, time_between_check_use_default: false },
  time_schedule_limit: { time_schedule_limit: nights() },
  title: { title: 'A shop' },
  track_ldjson_price_data: { track_ldjson_price_data: true },
  trigger_text: { trigger_text: ['/buy now/i'] },
  trim_text_whitespace: { trim_text_whitespace: true },
  use_page_title_in_list: { use_page_title_in_list: true },
  webdriver_delay: { webdriver_delay: 5 },
  webdriver_js_execute_code: { webdriver_js_execute_code: 'scrollBy(0, 1000)' },
};
/** Of these there is nothing to take over: what they say is so here for all. */
const MEANS_NOTHING = new Set(['trim_text_whitespace', 'llm_backend_profile']);

/** A round is a watch with options drawn together, beside one for each option alone. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const program = await startChangeDetection(PORT, { hasProxy: true });
  await using agent = await startTestAgent();
  try {
    const options = optionsOf(program.specification);
    assert.deepEqual(
      options.filter((name) => VALUES[name] === undefined),
      [],
      'options that nobody here sets',
    );
    const made = await makeWatches(program, options, { rounds, seed });
    const backup = await program.backUp();
    const body = { format: 'changedetection', content: Buffer.from(backup).toString('base64') } as const;
    const dry = await agent.client.monitors.import({ ...body, dry_run: true });
    const imported = await agent.client.monitors.import(body);
    assert.deepEqual(
      imported.monitors.map(({ monitor }) => monitor),
      dry.monitors.map(({ monitor }) => monitor),
    );
    const api = await importByApi(program, [...made.keys()], agent);
    const read = new Set(api.monitors.map(({ path }) => path));
    const lost = [...made].filter(([uuid]) => !read.has(uuid));
    assert.deepEqual(
      lost.map(([uuid, names]) => ({ names, told: api.left_out.filter(({ path }) => path.startsWith(uuid)) })),
      [],
      'watches that the JSON of its API makes no monitor of',
    );
    tell(imported, made, log);
  } finally {
    await program.close();
  }
}

/** The options that its own description lets somebody set. */
function optionsOf(specification: string): readonly string[] {
  const document = parse(specification) as {
    components: { schemas: { WatchBase: { properties: Readonly<Record<string, { readOnly?: boolean }>> } } };
  };
  const { properties } = document.components.schemas.WatchBase;
  return Object.keys(properties).filter((name) => name !== 'url' && properties[name]?.readOnly !== true);
}

/** By uuid the options that were set. */
async function makeWatches(
  program: ChangeDetection,
  options: readonly string[],
  { rounds, seed }: Pick<CampaignOptions, 'rounds' | 'seed'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const tag = await program.make('tag', { title: 'Shops & more' });
  const random = mulberry32(seed);
  const made = new Map<string, readonly string[]>();
  const make = async (names: readonly string[]) => {
    const bodies = names.map((name) => (name === 'tags' ? { tags: [tag] } : (VALUES[name] ?? {})));
    made.set(await program.make('watch', Object.assign({ url: `http://127.0.0.1:9/${made.size}` }, ...bodies)), names);
  };
  await make([]);
  for (const name of options) await make([name]);
  for (let round = 0; round < rounds * MIXED_A_ROUND; round++) await make(options.filter(() => random() < 0.15));
  return made;
}

async function importByApi(
  program: ChangeDetection,
  uuids: readonly string[],
  agent: Awaited<ReturnType<typeof startTestAgent>>,
): Promise<ImportedMonitors> {
  const watches: Record<string, unknown> = {};
  for (const uuid of uuids) watches[uuid] = await program.read(uuid);
  return await agent.client.monitors.import({ format: 'changedetection_api', content: JSON.stringify(watches), dry_run: true });
}

/** Each option alone makes another monitor, or is told. */
function tell(imported: ImportedMonitors, made: ReadonlyMap<string, readonly string[]>, log: (line: string) => void): void {
  const monitorOf = (uuid: string) => imported.monitors.find(({ path }) => path === `${uuid}/watch.json`)?.monitor;
  const toldOf = (uuid: string) => imported.left_out.filter(({ path }) => path.startsWith(`${uuid}/`));
  const [plain = ''] = made.keys();
  const withoutPlace = (monitor: NewMonitor | undefined) => JSON.stringify({ ...monitor, url: '' });
  const kinds = { mapped: [] as string[], told: [] as string[], both: [] as string[], nothing: [] as string[] };
  for (const [uuid, names] of made) {
    assert.ok(monitorOf(uuid) || toldOf(uuid).length > 0, `${uuid} (${names.join()}) is neither made nor told`);
    const [name] = names;
    if (names.length !== 1 || name === undefined) continue;
    const isMapped = withoutPlace(monitorOf(uuid)) !== withoutPlace(monitorOf(plain));
    const isTold = toldOf(uuid).length > 0;
    if (Object.values(kinds).flat().includes(name)) continue;
    kinds[isMapped ? (isTold ? 'both' : 'mapped') : isTold ? 'told' : 'nothing'].push(name);
  }
  assert.deepEqual(
    kinds.nothing.filter((name) => !MEANS_NOTHING.has(name)),
    [],
    'options that are dropped without a word',
  );
  const paused = imported.monitors.filter(({ monitor }) => monitor.active === false).length;
  log(
    `${made.size} watches: ${imported.monitors.length} monitors (with those of a new instance), ${paused} of them paused, ${imported.left_out.length} lines on what is left out`,
  );
  for (const [kind, names] of Object.entries(kinds)) log(`${kind} (${names.length}): ${names.join(', ')}`);
}

/** From Monday to Friday from ten in the evening for eight hours. */
function nights(): object {
  const day = (enabled: boolean) => ({ enabled, start_time: '22:00', duration: { hours: '8', minutes: '00' } });
  const week = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const days = Object.fromEntries(week.map((name, place) => [name, day(place < 5)]));
  return { enabled: true, timezone: 'Europe/Berlin', ...days };
}
