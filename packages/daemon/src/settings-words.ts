// What each key of `config.json` means, in which unit, and its value here and by default: for people who tune it.
import { readSettings } from './settings.ts';

export interface SettingWords {
  /** The path of the key: `runs_max.total`. */
  readonly key: string;
  readonly meaning: string;
  /** What a value counts, or which ones there are. */
  readonly unit: string;
  readonly default: unknown;
  /** In force once the agent has started with this file. */
  readonly value: unknown;
}

type Words = readonly [meaning: string, unit: string];

const WORDS: Readonly<Record<string, Words>> = {
  'runs_max.total': ['runs that execute at once, of all kinds', 'runs'],
  'runs_max.page': ['of them, single pages', 'runs'],
  'runs_max.crawl': ['of them, crawls of sites', 'runs'],
  'runs_max.workflow': ['of them, workflows', 'runs'],
  'runs_max.monitor': ['of them, checks of monitors', 'runs'],
  'runs_max.automation': ['of them, automations', 'runs'],
  'runs_max.build': ['of them, workflows that are being built', 'runs'],
  proxies: ['proxies by the names that requests choose them by: {"office": {"url": "socks5://127.0.0.1:1080"}}', 'http, https, socks5'],
  proxy: ['the proxy of every request that chooses none', 'a name in proxies'],
  models: [
    'models by names of your own: {"local": {"url": "http://127.0.0.1:11434/v1", "name": "qwen3:8b"}}; docs/models.md tells all members',
    'openai, anthropic',
  ],
  model: ['the model that steps and builds ask; without one nothing is sent to any', 'a name in models'],
  'limits.rate.key.per_minute': ['calls that a token or key may make, over time', 'calls a minute'],
  'limits.rate.key.burst': ['calls that it may make at once', 'calls'],
  'limits.rate.runtime.per_minute': ['calls of the command line, and of programs that find the agent by its home', 'calls a minute'],
  'limits.rate.runtime.burst': ['calls that they may make at once', 'calls'],
  'builds.check_hours': [
    'how often published functions of builds are proved again, unless a build says otherwise; null for never',
    'hours',
  ],
  'vault.idle_minutes': ['the vault locks after so long without use; 0 for never', 'minutes'],
  'vault.device_key': ["where the device's key is kept: in the system's keychain where there is one, or always in a file", 'auto, file'],
  'retention.run_days': ['how long settled runs are kept', 'days'],
  'retention.runs_per_source': ['how many of them for each workflow, crawl or monitor', 'runs'],
  'retention.unchanged_per_source': ['how many of them that found nothing new', 'runs'],
  'retention.snapshots_per_monitor': ['what checks saw that found something new', 'snapshots'],
};

/** All keys of the settings in the file at `path`, in the order of the schema. Throws ConfigError for a file that can't be used. */
export function listSettings(path: string): readonly SettingWords[] {
  const values = new Map(leavesOf(readSettings(path)));
  const defaults = new Map(leavesOf(readSettings('')));
  return [...new Set([...Object.keys(WORDS), ...defaults.keys()])].map((key) => {
    const [meaning = '', unit = ''] = WORDS[key] ?? [];
    return { key, meaning, unit, default: defaults.get(key) ?? null, value: values.get(key) ?? null };
  });
}

const NAMED: ReadonlySet<string> = new Set(['proxies', 'models']);

/** Paths and values, down to what is no object; `proxies` and `models` are one value each, for their members are names that a user chose. */
function leavesOf(value: object, path: readonly string[] = []): readonly (readonly [key: string, value: unknown])[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const key = [...path, name];
    const isGroup = typeof member === 'object' && member !== null && !NAMED.has(name);
    return isGroup ? leavesOf(member, key) : [[key.join('.'), member] as const];
  });
}
