// Site-to-API builds of the cloud (D49): started, polled rung by rung, and paid by the page (D43).
import { z } from 'zod';
import { BuildView, UpdateBuild, buildIdText, checkHours, buildOptionFields, discoveryOptionFields } from '../groups/builds/build.ts';
import type { OperationGroup } from '../operation.ts';
import { json } from '../replies.ts';

/** What a build may cost unless it says less: its pages on both crawl rungs, its proofs, the supervising call and the steps of a model. */
export const BUILD_CREDITS = { least: 30, unlessSaid: 300 } as const;

const maxCredits = z
  .int()
  .min(BUILD_CREDITS.least)
  .max(100_000)
  .optional()
  .describe(`What it may cost at most; ${BUILD_CREDITS.unlessSaid} unless said.`);

/** The body of `POST /api/v1/website-to-api`. */
export const StartCloudBuild = z
  .strictObject({
    ...buildOptionFields,
    slug: z
      .string()
      .regex(/^[a-z][a-z0-9-]{2,39}$/, 'must be a slug: a small letter, then 2 to 39 of a-z, 0-9 and -')
      .optional()
      .describe('Publish what is proved under this slug: `/v1/{slug}/{function}`. Needs the key of an owner.'),
    check_hours: checkHours.optional(),
    max_credits: maxCredits,
  })
  .meta({ id: 'StartCloudBuild' });
export type StartCloudBuild = z.infer<typeof StartCloudBuild>;

/** The body of `POST /api/v1/deep-discovery`. */
export const StartCloudDiscovery = z
  .strictObject({ ...discoveryOptionFields, max_credits: maxCredits })
  .meta({ id: 'StartCloudDiscovery' });
export type StartCloudDiscovery = z.infer<typeof StartCloudDiscovery>;

/** A build of the cloud: a poll of a rung, and what it has cost. */
export const CloudBuild = BuildView.omit({ run_id: true })
  .extend({
    credits: z
      .strictObject({
        charged: z.int().min(0),
        budget: z.int().min(0).describe('Held for it when it began; the rest comes back when it ends.'),
      })
      .describe('1 for a page over HTTP, 2 for one in a browser, 5 for the supervising call, 1 for each step of a model.'),
    published: z
      .array(z.strictObject({ function: z.string(), url: z.string().describe('Where it is called.') }))
      .optional()
      .describe('What of it was published.'),
    not_published: z
      .array(z.strictObject({ function: z.string(), reason: z.string() }))
      .optional()
      .describe('What was proved and could not be published, and why.'),
  })
  .meta({ id: 'CloudBuild' });
export type CloudBuild = z.infer<typeof CloudBuild>;

/** Builds of the cloud. */
export const cloudBuilds = {
  start: {
    id: 'cloudBuilds.start',
    method: 'POST',
    path: '/api/v1/website-to-api',
    summary: 'turn a site into an API',
    scopes: ['run'],
    body: StartCloudBuild,
    replies: { 202: json(CloudBuild, 'The build waits for a worker.') },
    errors: ['insufficient_credits', 'conflict'],
    idempotency: 'replay',
  },
  read: {
    id: 'cloudBuilds.read',
    method: 'GET',
    path: '/api/v1/website-to-api/{id}',
    summary: 'poll a site-to-API build',
    scopes: ['read'],
    params: z.strictObject({ id: buildIdText }),
    replies: { 200: json(CloudBuild, 'The rung that was asked for; a replaced one names the next.') },
    errors: ['not_found'],
  },
  discover: {
    id: 'cloudBuilds.discover',
    method: 'POST',
    path: '/api/v1/deep-discovery',
    summary: 'accepts the same two build options as site-to-API',
    scopes: ['run'],
    body: StartCloudDiscovery,
    replies: { 202: json(CloudBuild, 'The discovery waits for a worker.') },
    errors: ['insufficient_credits', 'conflict'],
    idempotency: 'replay',
  },
} as const satisfies OperationGroup;

const buildParams = z.strictObject({ id: buildIdText });

/** What an owner does with builds: whether they still hold, and what replaces them. */
export const accountBuilds = {
  update: {
    id: 'accountBuilds.update',
    method: 'PATCH',
    path: '/api/account/builds/{id}',
    summary: 'change how often published functions of a build are proved again',
    scopes: ['admin'],
    params: buildParams,
    body: UpdateBuild,
    replies: { 200: json(CloudBuild, 'The newest rung.') },
    errors: ['not_found'],
  },
  check: {
    id: 'accountBuilds.check',
    method: 'POST',
    path: '/api/account/builds/{id}/check',
    summary: 'prove the published functions of a build again now; 1 credit for a page, 2 for one in a browser',
    scopes: ['admin'],
    params: buildParams,
    replies: { 202: json(CloudBuild, 'The check waits for a worker; `health` says what it came to.') },
    errors: ['not_found', 'conflict'],
  },
  rebuild: {
    id: 'accountBuilds.rebuild',
    method: 'POST',
    path: '/api/account/builds/{id}/rebuild',
    summary: 'build again, beside what there is: a proposal that is to be accepted or declined',
    scopes: ['admin'],
    params: buildParams,
    replies: { 202: json(CloudBuild, 'The new build; its `diff` says what has changed once it has ended.') },
    errors: ['not_found', 'insufficient_credits'],
  },
  accept: {
    id: 'accountBuilds.accept',
    method: 'POST',
    path: '/api/account/builds/{id}/accept',
    summary: 'let a build that was built again replace what was published of the one before',
    scopes: ['admin'],
    params: buildParams,
    replies: { 200: json(CloudBuild, 'The build; `published` names what it replaced, each by a new revision.') },
    errors: ['not_found', 'conflict'],
  },
  decline: {
    id: 'accountBuilds.decline',
    method: 'POST',
    path: '/api/account/builds/{id}/decline',
    summary: 'keep what was published before',
    scopes: ['admin'],
    params: buildParams,
    replies: { 200: json(CloudBuild, 'The proposal, declined.') },
    errors: ['not_found', 'conflict'],
  },
} as const satisfies OperationGroup;
