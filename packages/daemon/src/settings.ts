// `config.json` in the home: what a user may tune. Absent members keep their defaults.
import { existsSync, readFileSync } from 'node:fs';
import { LIMITS } from '@weft/contract';
import { CHECK_HOURS } from '@weft/engine';
import { z } from 'zod';
import { ConfigError } from './config.ts';

const rate = (perMinute: number, burst: number) =>
  z
    .strictObject({ per_minute: z.int().min(1).max(10_000_000).default(perMinute), burst: z.int().min(1).max(1_000_000).default(burst) })
    .prefault({});

const places = (count: number) => z.int().min(1).max(100).default(count);

/** No kind of run can keep another from its turn; single pages have a queue beside that of other crawls. */
const RunsMax = z
  .strictObject({
    total: places(16),
    page: places(8),
    crawl: places(8),
    workflow: places(4),
    monitor: places(8),
    automation: places(4),
    build: places(2),
  })
  .prefault({});

const ProxyUrl = z
  .string()
  .refine(
    isProxyUrl,
    'is not an http, https or socks5 address of a host and a port, such as socks5://127.0.0.1:1080, without user and password',
  );

const ModelUrl = z
  .string()
  .max(500)
  .refine(
    isModelUrl,
    'is not an https address of a model, or an http one on this machine or network, such as http://127.0.0.1:11434/v1, without user, password and query',
  );

/** A model that steps and builds may ask. Its key has no place here: it is in the secret that `secret` names, or in SERVICE_MODEL_KEY. */
const Model = z.strictObject({
  format: z.enum(['openai', 'anthropic']).default('openai'),
  url: ModelUrl,
  name: z.string().min(1).max(200),
  secret: z.string().min(1).max(200).optional(),
  timeout_seconds: z.int().min(1).max(3600).default(120),
  input_tokens_max: z.int().min(1000).max(1_000_000).default(16_000),
  output_tokens_max: z.int().min(200).max(100_000).default(4000),
});

const Settings = z
  .strictObject({
    /** Runs that execute at once: all together, and of each queue at most. A number alone is the total. */
    runs_max: z.preprocess((value) => (typeof value === 'number' ? { total: value } : value), RunsMax),
    /** Proxies by the names that requests choose them by. Users and passwords have no place here: `secret` is the key of the one that holds them. */
    proxies: z
      .record(z.string().regex(/^[a-z][\w-]{0,63}$/i), z.strictObject({ url: ProxyUrl, secret: z.string().min(1).max(200).optional() }))
      .default({}),
    /** The proxy of every request that chooses none. */
    proxy: z.string().optional(),
    /** Models by names of one's own. */
    models: z.record(z.string().regex(/^[a-z][\w-]{0,63}$/i), Model).default({}),
    /** The one that is asked; nothing is sent to any model unless it is said. */
    model: z.string().optional(),
    limits: z
      .strictObject({
        rate: z
          .strictObject({
            key: rate(LIMITS.ratePerMinute, LIMITS.rateBurst),
            runtime: rate(LIMITS.runtimeRatePerMinute, LIMITS.runtimeRateBurst),
          })
          .prefault({}),
      })
      .prefault({}),
    builds: z
      .strictObject({
        /** Hours after which published functions of builds are proved again, unless a build says otherwise; null for never. */
        check_hours: z.int().min(1).max(8760).nullable().default(CHECK_HOURS),
      })
      .prefault({}),
    vault: z
      .strictObject({
        /** It locks after so many minutes without use; 0 for never. */
        idle_minutes: z.int().min(0).max(100_000).default(0),
        /** Where the key of the device is kept: in the system's keychain where there is one, or always in a file. */
        device_key: z.enum(['auto', 'file']).default('auto'),
      })
      .prefault({}),
    retention: z
      .strictObject({
        run_days: z.int().min(1).max(36_500).default(90),
        runs_per_source: z.int().min(1).max(10_000_000).default(10_000),
        /** Runs that found nothing new; all of them are summed up by the hour. */
        unchanged_per_source: z.int().min(1).max(10_000).default(20),
        /** What the checks of a monitor saw that found something new. */
        snapshots_per_monitor: z.int().min(1).max(10_000).default(30),
      })
      .prefault({}),
  })
  .refine(({ proxies, proxy }) => proxy === undefined || Object.hasOwn(proxies, proxy), {
    path: ['proxy'],
    error: 'names none of `proxies`',
  })
  .refine(({ models, model }) => model === undefined || Object.hasOwn(models, model), {
    path: ['model'],
    error: 'names none of `models`',
  });

export type Settings = z.infer<typeof Settings>;

/** The settings in the file at `path`, or the defaults. Throws ConfigError that names the member and the rule. */
export function readSettings(path: string): Settings {
  if (!existsSync(path)) return Settings.parse({});
  try {
    return Settings.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new ConfigError(`${path} can't be used: ${reasonOf(error)}. Mend that line, or move the file away for the defaults.`);
  }
}

function isProxyUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^(?:https?|socks5):$/.test(url.protocol) || url.hostname === '') return false;
  return url.username === '' && url.password === '' && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '';
}

/** What is asked over plain http is judged once more when its address is known: on the internet it is refused. */
function isModelUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return (error as Error).message;
  const issue = error.issues[0];
  return issue ? `"${issue.path.join('.')}" ${issue.message}` : 'it is not valid';
}
