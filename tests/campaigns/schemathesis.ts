// Both documents of a started agent through schemathesis of PyPI: every failure is mended, or named here with its reason.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { startTestAgent } from '../agent.ts';
import type { NamedFailure } from '../attacks/schemathesis.ts';
import { NAMED_OF_BOTH, withSchemathesis } from '../attacks/schemathesis-surface.ts';

/** Why the tests leave it out. */
export const needs = 'Python, and schemathesis from PyPI';

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
  ...NAMED_OF_BOTH,
];

/** Throws where schemathesis finds what is not named, or does not come to its end. */
export async function campaign(options: CampaignOptions): Promise<void> {
  await withSchemathesis(options, async ({ folder, fetcher, tryOut }) => {
    writeFileSync(join(folder, 'config.json'), JSON.stringify(CONFIG));
    await using agent = await startTestAgent({ home: folder, fetcher: fetcher('agent') });
    await tryOut({ ...agent, named: NAMED });
  });
}
