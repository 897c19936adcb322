// Published workflows (D46): functions of an account that others call, the keys that they call them by, and their runs.
import { z } from 'zod';
import { RunFailure } from '../groups/runs/run.ts';
import { Identifier } from '../groups/workflows/step-fields.ts';
import { NewWorkflow } from '../groups/workflows/workflow.ts';
import { instant, listQuery } from '../ids.ts';
import type { OperationGroup } from '../operation.ts';
import { json, list, none } from '../replies.ts';

/** Seconds after which a published call is cut. */
export const PUBLISHED_SECONDS = 120;
/** Rows of one call: characters of their JSON. */
export const PUBLISHED_CHARACTERS_MAX = 5_000_000;

/** Slugs that name parts of a cloud, or of what people expect of one. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  (
    'account accounts admin agent api auth automations batch builds changes console crawl data datasets ' +
    'deep-discovery docs extract extractors files health help keyless keys login map mcp metrics monitors ' +
    'oauth openapi personas publish runs scrape search secrets selectors status support targets vault webhooks ' +
    'website-to-api well-known workflows ws-ticket www weft'
  ).split(' '),
);

const slug = z.string().regex(/^[a-z][a-z0-9-]{2,39}$/, 'must be a slug: a small letter, then 2 to 39 of a-z, 0-9 and -');
const path = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be one segment: a small letter, then up to 39 of a-z, 0-9 and -');
/** Where a function is. */
export const functionPlace = z.strictObject({ slug, path });
const params = functionPlace;

/** What a published workflow is: a workflow without what only the agent has. */
export const PublishableWorkflow = NewWorkflow.omit({ slug: true, concurrency: true, expose: true }).meta({ id: 'PublishableWorkflow' });
export type PublishableWorkflow = z.infer<typeof PublishableWorkflow>;

const functionFields = {
  slug,
  path,
  name: z.string(),
  revision: z.int().min(1).describe('Which one is called; each publication makes another.'),
  url: z.string().describe('Where it is called: `/v1/{slug}/{path}`.'),
  tool: z.string().describe('What models call it by.'),
  inputs: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of what it takes.'),
  lane: z.enum(['auto', 'http', 'browser']),
  created_at: instant,
  updated_at: instant,
};
const PublishedFunction = z.strictObject(functionFields).meta({ id: 'PublishedFunction' });
const WholeFunction = z.strictObject({ ...functionFields, workflow: PublishableWorkflow }).meta({ id: 'PublishedFunctionWithWorkflow' });
const Revision = z
  .strictObject({ revision: z.int().min(1), name: z.string(), is_called: z.boolean(), created_at: instant })
  .meta({ id: 'PublishedRevision' });

/** Functions of an account. */
export const publish = {
  list: {
    id: 'publish.list',
    method: 'GET',
    path: '/api/account/publish',
    summary: 'list what is published',
    scopes: ['admin'],
    query: z.strictObject(listQuery),
    replies: { 200: list(PublishedFunction, 'By slug and path.') },
  },
  create: {
    id: 'publish.create',
    method: 'POST',
    path: '/api/account/publish',
    summary: 'publish a workflow as a function, or its next revision',
    scopes: ['admin'],
    body: z
      .strictObject({
        slug: slug.describe('The API: the first that takes it has it for ever.'),
        path: path.describe('The function.'),
        workflow: PublishableWorkflow,
      })
      .meta({ id: 'PublishWorkflow' }),
    replies: { 201: json(PublishedFunction, 'The function; calls from now on run this revision.') },
    errors: ['conflict'],
    idempotency: 'replay',
  },
  read: {
    id: 'publish.read',
    method: 'GET',
    path: '/api/account/publish/{slug}/{path}',
    summary: 'read a function with its workflow',
    scopes: ['admin'],
    params,
    replies: { 200: json(WholeFunction, 'The revision that is called.') },
    errors: ['not_found'],
  },
  delete: {
    id: 'publish.delete',
    method: 'DELETE',
    path: '/api/account/publish/{slug}/{path}',
    summary: 'withdraw a function and its revisions',
    scopes: ['admin'],
    params,
    replies: { 204: none("It is no longer called; the slug stays the account's.") },
    errors: ['not_found'],
  },
  revisions: {
    id: 'publish.revisions',
    method: 'GET',
    path: '/api/account/publish/{slug}/{path}/revisions',
    summary: 'list the revisions of a function',
    scopes: ['admin'],
    params,
    query: z.strictObject(listQuery),
    replies: { 200: list(Revision, 'Newest first.') },
    errors: ['not_found'],
  },
  restore: {
    id: 'publish.restore',
    method: 'POST',
    path: '/api/account/publish/{slug}/{path}/restore',
    summary: 'call another revision of a function from now on',
    scopes: ['admin'],
    params,
    body: z.strictObject({ revision: z.int().min(1).max(1_000_000_000) }).meta({ id: 'RestoreRevision' }),
    replies: { 200: json(PublishedFunction, 'The function with the revision that is called now.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;

const keyFields = {
  id: z.string().describe('`ckey_` and a random part.'),
  name: z.string(),
  slug,
  paths: z.array(path).optional().describe('Functions that it may call; all of the slug unless there are some.'),
  daily_cap: z.int().min(1).optional().describe('Calls of a UTC day; any number unless there is one.'),
  calls_today: z.int().min(0),
  created_at: instant,
  last_used_at: instant.optional().describe('To the minute.'),
};
const ConsumerKey = z.strictObject(keyFields).meta({ id: 'ConsumerKey' });
const MintedConsumerKey = z
  .strictObject({ ...keyFields, token: z.string().describe('Shown this once; only its hash is kept.') })
  .meta({ id: 'MintedConsumerKey' });
const NewConsumerKey = z
  .strictObject({
    name: z.string().min(1).max(100),
    slug,
    paths: z.array(path).min(1).max(100).optional().describe('All functions of the slug unless said.'),
    daily_cap: z.int().min(1).max(1_000_000_000).optional().describe('Calls of a UTC day; no bound unless said.'),
  })
  .meta({ id: 'CreateConsumerKey' });

/** Keys that an owner mints for the callers of a slug. */
export const consumerKeys = {
  list: {
    id: 'consumerKeys.list',
    method: 'GET',
    path: '/api/account/consumer-keys',
    summary: 'list the consumer keys of the account',
    scopes: ['admin'],
    query: z.strictObject({ ...listQuery, slug: slug.optional().describe('Those of this slug alone.') }),
    replies: { 200: list(ConsumerKey, 'Oldest first.') },
  },
  create: {
    id: 'consumerKeys.create',
    method: 'POST',
    path: '/api/account/consumer-keys',
    summary: 'mint a consumer key',
    scopes: ['admin'],
    body: NewConsumerKey,
    replies: { 201: json(MintedConsumerKey, 'With its token, this once.') },
    errors: ['not_found', 'conflict'],
    idempotency: 'once',
  },
  delete: {
    id: 'consumerKeys.delete',
    method: 'DELETE',
    path: '/api/account/consumer-keys/{id}',
    summary: 'delete a consumer key',
    scopes: ['admin'],
    params: z.strictObject({ id: z.string().regex(/^ckey_[A-Za-z0-9_-]{22}$/, 'must be the id of a consumer key, `ckey_...`') }),
    replies: { 204: none('It calls nothing any more.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;

const runId = z.string().describe('`run_` and a random part.');
const runFields = {
  id: runId,
  slug,
  path,
  revision: z.int().min(1),
  key_id: z.string().optional().describe('The consumer key that called it; absent for a model.'),
  status: z.enum(['running', 'succeeded', 'failed']),
  failure: RunFailure.optional(),
  lane: z.enum(['http', 'browser']).optional().describe('The lane that it ended on.'),
  credits: z.int().min(0).describe('1 by HTTP, 2 where a browser was used, none where it failed.'),
  rows: z.int().min(0),
  started_at: instant,
  finished_at: instant.optional(),
};
const PublishedRun = z.strictObject(runFields).meta({ id: 'PublishedRun' });
const WholeRun = z
  .strictObject({
    ...runFields,
    data: z.unknown().optional().describe('What it answered.'),
    warnings: z.array(z.string()),
    steps: z.array(z.record(z.string(), z.unknown())).describe('The first thousand events of its steps, as runs of the agent tell them.'),
  })
  .meta({ id: 'PublishedRunWithSteps' });

/** Runs of functions, for their owner. */
export const publishedRuns = {
  list: {
    id: 'publishedRuns.list',
    method: 'GET',
    path: '/api/account/runs',
    summary: 'list the runs of published functions',
    scopes: ['read'],
    query: z.strictObject({ ...listQuery, slug: slug.optional().describe('Those of this slug alone.') }),
    replies: { 200: list(PublishedRun, 'Newest first.') },
  },
  read: {
    id: 'publishedRuns.read',
    method: 'GET',
    path: '/api/account/runs/{id}',
    summary: 'read a run of a published function',
    scopes: ['read'],
    params: z.strictObject({ id: z.string().regex(/^run_[A-Za-z0-9_-]{22}$/, 'must be the id of a run, `run_...`') }),
    replies: { 200: json(WholeRun, 'The run with what it answered and what its steps did.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;

/** What a published call answers. */
export const PublishedAnswer = z
  .strictObject({
    data: z.unknown().describe('The output of the workflow; its rows where it has none. Null where it failed before its output.'),
    status: z.enum(['succeeded', 'failed']),
    run_id: runId,
    failure: RunFailure.optional().describe('Why it failed.'),
  })
  .meta({ id: 'PublishedAnswer' });
export type PublishedAnswer = z.infer<typeof PublishedAnswer>;

/** Functions as their callers see them. */
export const published = {
  call: {
    id: 'published.call',
    method: 'POST',
    path: '/v1/{slug}/{path}',
    summary: 'call a published workflow',
    scopes: ['run'],
    credentials: ['csk'],
    params,
    body: z.record(Identifier, z.unknown()).meta({ id: 'FunctionInputs' }),
    isBodyOptional: true,
    replies: {
      200: json(PublishedAnswer, `The settled run; a failed one is a normal answer. It is cut after ${PUBLISHED_SECONDS} seconds.`),
    },
    errors: ['not_found', 'insufficient_credits', 'conflict'],
    idempotency: 'replay',
  },
} as const satisfies OperationGroup;
