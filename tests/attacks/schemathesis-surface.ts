// One started server and its two documents, through schemathesis: what it finds is mended, or named with its reason.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAddressGate } from '@weft/engine/io';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { page } from '../sites/flipping-name.ts';
import { startRawServer } from '../sites/raw-server.ts';
import { bringSchemathesis, runSchemathesis } from './schemathesis.ts';
import type { NamedFailure } from './schemathesis.ts';

/** Failures of both surfaces that stay. */
export const NAMED_OF_BOTH: readonly NamedFailure[] = [
  {
    failure: 'RejectedPositiveData',
    operations: ['POST /mcp'],
    says: 'is not a valid JSON-RPC message',
    reason: 'what a message must have depends on its kind, which JSON-RPC has rules of its own for',
  },
  {
    failure: 'RejectedPositiveData',
    operations: 'any',
    says: 'a whole number.*; it is ."[0-9]+[.]0."',
    reason: '1.0 is an integer to JSON Schema; in a path or a query it is another text, and a row has one address',
  },
  {
    failure: 'RejectedPositiveData',
    operations: 'any',
    says: "can't be held exactly; send it as a string",
    reason: 'a number of JSON may be larger than what is held exactly: it is refused, where others would change it',
  },
];

/** A server of a campaign. */
export interface Surface {
  readonly baseUrl: string;
  readonly tokenFile: string;
  readonly named: readonly NamedFailure[];
  readonly logged: readonly unknown[];
}

/** What a surface is started with. */
export interface Scratch {
  readonly folder: string;
  /** Every name is public, and leads to one site on loopback; nothing speaks TLS. */
  fetcher(mode: 'agent' | 'public'): ReturnType<typeof createHttpFetcher>;
  /** Tries both documents of a server. */
  tryOut(surface: Surface): Promise<void>;
}

/** A hundred rounds, as a campaign has unless said, are 300 examples for each operation. */
const EXAMPLES_A_ROUND = 3;
const DOCUMENTS = ['/openapi.json', '/openapi-extra.json'];
const PUBLIC_ADDRESS = '93.184.216.34';

/** Runs `work` with a site, a folder and schemathesis. Throws where that finds what is not named, or does not come to its end. */
export async function withSchemathesis({ rounds, seed, log }: CampaignOptions, work: (scratch: Scratch) => Promise<void>): Promise<void> {
  const program = await bringSchemathesis();
  const folder = mkdtempSync(join(tmpdir(), 'weft-schemathesis-'));
  const site = await startRawServer(({ path }) => (path === '/robots.txt' ? undefined : page(`at ${path}`, ['/a', '/b/c'])));
  const resolve = async () => [PUBLIC_ADDRESS];
  const dialTo = (_address: string, port: number) => ({ address: '127.0.0.1', port: port === 443 ? 1 : site.port });
  const broken: string[] = [];
  const failed: unknown[] = [];
  const tryOut = async ({ baseUrl, tokenFile, named, logged }: Surface): Promise<void> => {
    for (const document of DOCUMENTS) {
      const options = { url: `${baseUrl}${document}`, tokenFile, examples: rounds * EXAMPLES_A_ROUND, seed, named, scratch: folder };
      for (const { code, output, dropped, seconds } of await runSchemathesis(program, options)) {
        const [, cases] = /^Test cases:\n\s*(\d+ generated.*)$/m.exec(output) ?? [];
        for (const [place, { failure, reason }] of named.entries())
          if (dropped[place]) log(`${document}: ${failure} ${dropped[place]} times: ${reason}`);
        log(`${document}: ${cases ?? 'no cases'} in ${seconds} s`);
        if (code !== 0 || cases === undefined) broken.push(output);
      }
    }
    failed.push(...logged);
  };
  const fetcher = (mode: 'agent' | 'public') => createHttpFetcher({ gate: createAddressGate({ mode, resolve }), dialTo });
  try {
    await work({ folder, fetcher, tryOut });
    assert.ok(broken.length === 0, broken.join('\n'));
    assert.deepEqual(failed, []);
  } finally {
    await site.close();
    rmSync(folder, { recursive: true });
  }
}
