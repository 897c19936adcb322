// What main runs once the settings are known: real network, real clock, signals.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createAddressGate, createFetcher, createModel, createViewPool, systemClock } from '@weft/engine/io';
import type { OpenModel } from '@weft/engine/io';
import { openLog, signalled } from '@weft/serve';
import type { Config, NamedModel } from './config.ts';
import { startCloud } from './start.ts';
import type { RunningCloud } from './start.ts';

/** Runs the cloud until SIGTERM or SIGINT; a second signal ends it at once. */
export async function runProgram(config: Config): Promise<void> {
  process.umask(0o077);
  mkdirSync(join(config.home, 'logs'), { recursive: true, mode: 0o700 });
  const log = openLog(join(config.home, 'logs', 'cloud.log'));
  process.on('unhandledRejection', (error) => log.error({ error }, 'unhandled rejection'));
  const views = createViewPool();
  const { home, userAgent, chromePath, privateTargets } = config;
  const model = config.model && openModel(config, config.model);
  const cloud = await startCloud({
    config,
    clock: systemClock,
    log,
    views,
    model,
    fetcher: (ownPorts) =>
      createFetcher({
        gate: createAddressGate({ mode: 'public', privateTargets, ownPorts }),
        userAgent,
        clock: systemClock,
        home,
        chromePath,
      }),
  });
  log.info({ base_url: cloud.baseUrl }, 'cloud started');
  const ended = signalled();
  process.stderr.write(banner(cloud));
  await ended;
  await cloud.stop();
  await Promise.all([views.close(), model?.close()]);
  log.info({}, 'cloud stopped');
  await log.close();
}

/** Its address is the operator's own setting, so it may be private; nothing else is let through by its gate. */
function openModel({ userAgent, port }: Config, { url, name, format, key }: NamedModel): OpenModel {
  const setting = { format, baseUrl: url, model: name };
  return createModel({ name: 'cloud', setting, key: async () => key(), userAgent, ownPorts: [port] });
}

function banner({ baseUrl, firstKey, internalPort }: RunningCloud): string {
  if (baseUrl === '') return `Weft cloud works on crawls${internalPort === undefined ? '' : `; metrics at port ${internalPort}`}.\n`;
  const key = firstKey ?? '<your wt_ key>';
  return [
    `Weft cloud on ${baseUrl}`,
    ...(firstKey === undefined ? [] : [`The first owner's key, shown this once: ${firstKey}`]),
    '',
    'Try, in another terminal:',
    `  curl -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"url":"https://example.com"}' ${baseUrl}/api/crawl/scrape`,
    '',
  ].join('\n');
}
