// Both documents of a started agent, and both of a cloud, through schemathesis of PyPI: every failure is mended, or named here with its reason.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAddressGate } from '@weft/engine/io';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { startTestAgent } from '../agent.ts';
import { booksAgree, openTestAccount, startTestCloud } from '../cloud.ts';
import type { TestCloud } from '../cloud.ts';
import { bringSchemathesis, runSchemathesis } from '../attacks/schemathesis.ts';
import type { NamedFailure } from '../attacks/schemathesis.ts';
import { page } from '../sites/flipping-name.ts';
import { startRawServer } from '../sites/raw-server.ts';

/** Why the tests leave it out. */
export const needs = 'Python, and schemathesis from PyPI';

/** A hundred rounds, as a campaign has unless said, are 300 examples for each operation. */
const EXAMPLES_A_ROUND = 3;
const DOCUMENTS = ['/openapi.json', '/openapi-extra.json'];
const PUBLIC_ADDRESS = '93.184.216.34';
/** The limits of rate have tests of their own; here they would hide answers. */
const CONFIG = { limits: { rate: { runtime: { per_minute: 10_000_000, burst: 1_000_000 } } } };

const NAMED: readonly NamedFailure[] = [
  {
    failure: 'RejectedPositiveData',
    operations: [
      'GET /v1/crawl/{id}',
      'GET /v1/crawl/definitions/{ref}/data',
      'GET /v1/datasets/search',
      'GET /v1/datasets/{id}/records',
      'GET /v1/datasets/{id}/search',
      'GET /x/crawl/{id}/ledger',
    ],
    says: 'The cursor is not one that this list gave',
    reason: 'a cursor is opaque, and only the list that gave it knows it again',
  },
  {
    failure: 'RejectedPositiveData',
    operations: ['GET /v1/datasets/{id}/records', 'GET /v1/datasets/{id}/export', 'POST /v1/files/from-data'],
    says: 'Send either ."run_id." or ."snapshot."',
    reason: 'OpenAPI has no words for query parameters that exclude each other',
  },
  {
    failure: 'RejectedPositiveData',
    operations: ['POST /v1/files/from-data'],
    says: 'Parquet needs the package',
    reason: 'Parquet is written where its package is installed, and the document is the same everywhere',
  },
  {
    failure: 'RejectedPositiveData',
    operations: ['POST /v1/keys'],
    says: 'names a scope twice',
    reason: 'a pattern that counts scopes needs a lookahead, which many readers of documents do not have',
  },
  {
    failure: 'RejectedPositiveData',
    operations: ['GET /v1/datasets/search', 'GET /v1/datasets/{id}/search'],
    says: 'has no letter or digit to search for',
    reason: 'what a letter is Unicode says, and many readers of documents have no classes of it in a pattern',
  },
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
    operations: ['POST /x/extract'],
    says: 'The selector `',
    reason: 'CSS, XPath, JSONPath and RE2 have grammars of their own, which no pattern tells',
  },
  {
    failure: 'AcceptedNegativeData',
    operations: ['POST /v1/files'],
    says: 'at /properties/file .was string',
    reason: 'the bytes of a file are anything, and a value that was meant to be wrong is sent as bytes too',
  },
  {
    failure: 'JsonSchemaError',
    operations: ['GET /v1/runs/{id}/events'],
    says: 'is not of type "string"',
    reason: 'OpenAPI 3.1 describes a stream of events as the one text that it is, not event by event',
  },
];

const NAMED_OF_CLOUD: readonly NamedFailure[] = [
  {
    failure: 'IgnoredAuth',
    operations: ['GET /v1/keyless/quota', 'POST /v1/keyless/scrape', 'POST /v1/keyless/map', 'POST /v1/keyless/crawl'],
    says: 'invalid credentials provided',
    reason: 'a device id is no secret: whoever calls by another one is another device',
  },
  {
    failure: 'RejectedPositiveData',
    operations: ['GET /api/crawl/{id}'],
    says: 'The cursor is not one that this crawl gave',
    reason: 'a cursor is opaque, and only the crawl that gave it knows it again',
  },
  {
    failure: 'RejectedPositiveData',
    operations: ['DELETE /api/account'],
    says: 'nothing was deleted',
    reason: 'what confirms the deletion is the id of the account alone, and another value deletes nothing',
  },
  {
    failure: 'RejectedPositiveData',
    operations: ['POST /api/account/publish'],
    says: 'can not be published|is reserved|is taken|characters together|steps|inputs|output|lane|finally',
    reason: 'a workflow is checked as a whole: references, selectors and needs have grammars that no schema tells',
  },
  {
    failure: 'RejectedPositiveData',
    operations: ['POST /v1/keyless/scrape', 'POST /v1/keyless/map'],
    says: 'pages of today',
    reason: 'a device has so many pages of a day',
  },
  {
    failure: 'RejectedPositiveData',
    operations: ['POST /v1/{slug}/{path}'],
    says: 'This key calls functions of|does not fit',
    reason: 'a key is for one slug, and what a function takes is its own schema',
  },
  ...NAMED.filter(({ operations }) => operations === 'any' || operations.includes('POST /mcp')),
];

/** A server of the campaign. */
interface Surface {
  readonly baseUrl: string;
  readonly tokenFile: string;
  readonly named: readonly NamedFailure[];
  readonly logged: readonly unknown[];
}

/** Throws where schemathesis finds what is not named, or does not come to its end. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const program = await bringSchemathesis();
  const scratch = mkdtempSync(join(tmpdir(), 'weft-schemathesis-'));
  const site = await startRawServer(({ path }) => (path === '/robots.txt' ? undefined : page(`at ${path}`, ['/a', '/b/c'])));
  // Every name is public, and leads to one site on loopback; nothing speaks TLS.
  const resolve = async () => [PUBLIC_ADDRESS];
  const dialTo = (_address: string, port: number) => ({
    address: '127.0.0.1',
    port: port === 443 ? 1 : site.port,
  });
  const broken: string[] = [];
  const tryOut = async ({ baseUrl, tokenFile, named, logged }: Surface): Promise<void> => {
    for (const document of DOCUMENTS) {
      const options = { url: `${baseUrl}${document}`, tokenFile, examples: rounds * EXAMPLES_A_ROUND, seed, named, scratch };
      const { code, output, dropped } = await runSchemathesis(program, options);
      const [, cases] = /^Test cases:\n\s*(\d+ generated.*)$/m.exec(output) ?? [];
      for (const [place, { failure, reason }] of named.entries())
        if (dropped[place]) log(`${document}: ${failure} ${dropped[place]} times: ${reason}`);
      log(`${document}: ${cases ?? 'no cases'}`);
      if (code !== 0 || cases === undefined) broken.push(output);
    }
    assert.deepEqual(logged, []);
  };
  try {
    writeFileSync(join(scratch, 'config.json'), JSON.stringify(CONFIG));
    {
      log('the agent');
      await using agent = await startTestAgent({
        home: scratch,
        fetcher: createHttpFetcher({ gate: createAddressGate({ mode: 'agent', resolve }), dialTo }),
      });
      await tryOut({ ...agent, named: NAMED });
    }
    log('the cloud');
    const fetcher = createHttpFetcher({ gate: createAddressGate({ mode: 'public', resolve }), dialTo });
    await using cloud = await startTestCloud({ fetcher, rate: { perSecond: 1e6, burst: 1e6 } });
    await tryOut({ ...cloud, tokenFile: await credentialsOf(cloud, scratch), named: NAMED_OF_CLOUD });
    assert.ok(broken.length === 0, broken.join('\n'));
    await booksAgree(cloud.database);
  } finally {
    await site.close();
    rmSync(scratch, { recursive: true });
  }
}

/** A file with a credential for each scheme, of an account that has a function. */
async function credentialsOf(cloud: TestCloud, scratch: string): Promise<string> {
  const owner = await openTestAccount(cloud, 1_000_000_000);
  const steps = [{ id: 'open', type: 'navigate', url: 'http://shop.test/' }];
  const published = { slug: 'tried', path: 'out', workflow: { name: 'Tried out', steps } };
  assert.equal((await cloud.call('POST', '/api/account/publish', owner, published)).status, 201);
  const { body: consumer } = await cloud.call('POST', '/api/account/consumer-keys', owner, { name: 'a caller', slug: 'tried' });
  const file = join(scratch, 'credentials');
  writeFileSync(file, JSON.stringify({ bearer: owner.token, consumerKey: consumer.token, deviceId: 'device-of-the-campaign' }));
  return file;
}
