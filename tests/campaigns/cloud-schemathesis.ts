// Both documents of a started cloud through schemathesis of PyPI: every failure is mended, or named here with its reason.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import type { NamedFailure } from '../attacks/schemathesis.ts';
import { NAMED_OF_BOTH, withSchemathesis } from '../attacks/schemathesis-surface.ts';
import { booksAgree, openTestAccount, startTestCloud } from '../cloud.ts';
import type { TestCloud } from '../cloud.ts';

/** Why the tests leave it out. */
export const needs = 'Python, and schemathesis from PyPI';

const NAMED: readonly NamedFailure[] = [
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
  {
    failure: 'RejectedPositiveData',
    operations: ['POST /api/targets', 'PATCH /api/targets/{id}'],
    says: `can be replaced, not removed|can't be read|schedule|the cloud keeps none|secret:|needs a browser|sends no|goes over HTTP|is taken by the browser|reads a page`,
    reason: 'a target is checked as a whole: selectors, expressions, schedules and lanes have rules that no schema tells',
  },
  {
    failure: 'RejectedPositiveData',
    operations: ['POST /api/account/webhooks', 'PATCH /api/account/webhooks/{id}'],
    says: 'must be an https address',
    reason: 'a document names the format of an address alone, and no scheme of it',
  },
  {
    failure: 'RejectedPositiveData',
    operations: ['PATCH /api/account/webhooks/{id}'],
    says: 'must be later than now|can be replaced, not removed',
    reason: 'no schema tells what time it is, nor that a member can be replaced and not removed',
  },
  {
    failure: 'MissingHeaderNotRejected',
    operations: ['GET /api/account/targets/atom'],
    says: 'There is no such feed',
    reason: 'whoever has a link sends no key, and one that was not made here is refused for that',
  },
  ...NAMED_OF_BOTH,
];

/** Throws where schemathesis finds what is not named, does not come to its end, or the books do not agree behind it. */
export async function campaign(options: CampaignOptions): Promise<void> {
  await withSchemathesis(options, async ({ folder, fetcher, tryOut }) => {
    await using cloud = await startTestCloud({ fetcher: fetcher('public'), rate: { perSecond: 1e6, burst: 1e6 } });
    await tryOut({ ...cloud, tokenFile: await credentialsOf(cloud, folder), named: NAMED });
    await booksAgree(cloud.database);
  });
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
