// Functions of an account (D46): revisions of workflows under a slug and a path, one of which is called.
import { createHash } from 'node:crypto';
import { AppError, LIMITS, RESERVED_SLUGS } from '@weft/contract';
import type { AccountTable, Input, PublishableWorkflow, ReplyOf } from '@weft/contract';
import { faultOfDefinition, needsOf } from '@weft/engine';
import type { WorkflowDefinition } from '@weft/engine';
import type { Database } from '../db/queries.ts';

type Published = ReplyOf<AccountTable['publish']['create']>['body'];
type Whole = ReplyOf<AccountTable['publish']['read']>['body'];
type Revision = ReplyOf<AccountTable['publish']['revisions']>['body']['data'][number];
type Page = Input<AccountTable['publish']['list']>['query'];

/** Where a function is. */
export interface Place {
  readonly slug: string;
  readonly path: string;
}

/** What is executed. */
export interface CallableFunction extends Place {
  readonly revision: number;
  readonly name: string;
  readonly definition: WorkflowDefinition;
}

export interface Functions {
  /** Throws AppError `bad_request` for what can't be published, with the list of what it needs; `conflict` for a slug of somebody else. */
  publish(accountId: string, place: Place, workflow: PublishableWorkflow): Promise<void>;
  list(accountId: string, page: Page): Promise<{ readonly data: Published[]; readonly total: number }>;
  /** Throws AppError `not_found`, as all that name a function. */
  read(accountId: string, place: Place): Promise<Whole>;
  find(accountId: string, place: Place): Promise<CallableFunction | undefined>;
  delete(accountId: string, place: Place): Promise<void>;
  revisions(accountId: string, place: Place, page: Page): Promise<{ readonly data: Revision[]; readonly total: number }>;
  restore(accountId: string, place: Place, revision: number): Promise<void>;
  /** All that models may call, by the names of their tools. */
  tools(accountId: string): Promise<ReadonlyMap<string, CallableFunction>>;
  /** The place of one tool. */
  findTool(accountId: string, tool: string): Promise<CallableFunction | undefined>;
}

interface FunctionRow extends Place {
  readonly revision: number;
  readonly name: string;
  readonly definition: WorkflowDefinition;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** What clients of the Model Context Protocol take as the name of a tool (D47). */
const TOOL_MAX = 64;
const JOINED = `published_function f JOIN published_revision r USING (slug, path, revision, account_id)`;
const COLUMNS = 'f.slug, f.path, f.revision, r.name, r.definition, f.created_at, f.updated_at';
/** A slug and a path have no underscore. */
const TOOL_OF = `replace(f.slug, '-', '_') || '__' || replace(f.path, '-', '_')`;

export function createFunctions(database: Database): Functions {
  const { rows, find, transaction } = database;
  const findRow = (accountId: string, { slug, path }: Place) =>
    find<FunctionRow>(`SELECT ${COLUMNS} FROM ${JOINED} WHERE f.account_id = $1 AND f.slug = $2 AND f.path = $3`, [accountId, slug, path]);
  const require = async (accountId: string, place: Place): Promise<FunctionRow> => {
    const row = await findRow(accountId, place);
    if (!row) throw notThere(place);
    return row;
  };
  return {
    publish: (accountId, place, workflow) =>
      transaction(async () => {
        const { name, definition } = publishable(workflow);
        await takeSlug(database, accountId, place.slug);
        await refuseTwin(database, accountId, place);
        await write(database, accountId, place, name, definition);
      }),
    async list(accountId, { limit = LIMITS.listLimitDefault, offset = 0 }) {
      const page = 'WHERE f.account_id = $1 ORDER BY f.slug, f.path LIMIT $2 OFFSET $3';
      const data = await rows<FunctionRow>(`SELECT ${COLUMNS} FROM ${JOINED} ${page}`, [accountId, limit, offset]);
      const all = await find<{ total: number }>('SELECT count(*) AS total FROM published_function WHERE account_id = $1', [accountId]);
      return { data: data.map(toPublished), total: all?.total ?? 0 };
    },
    async read(accountId, place) {
      const row = await require(accountId, place);
      return { ...toPublished(row), workflow: { name: row.name, format: 1, ...row.definition } };
    },
    find: findRow,
    async delete(accountId, place) {
      const gone = await rows('DELETE FROM published_function WHERE account_id = $1 AND slug = $2 AND path = $3 RETURNING 1', [
        accountId,
        place.slug,
        place.path,
      ]);
      if (gone.length === 0) throw notThere(place);
    },
    async revisions(accountId, place, { limit = LIMITS.listLimitDefault, offset = 0 }) {
      const { revision: called } = await require(accountId, place);
      const of = 'FROM published_revision WHERE account_id = $1 AND slug = $2 AND path = $3';
      const key = [accountId, place.slug, place.path];
      const data = await rows<Pick<FunctionRow, 'revision' | 'name' | 'created_at'>>(
        `SELECT revision, name, created_at ${of} ORDER BY revision DESC LIMIT $4 OFFSET $5`,
        [...key, limit, offset],
      );
      const all = await find<{ total: number }>(`SELECT count(*) AS total ${of}`, key);
      const shown = data.map(({ revision, name, created_at }) => ({
        revision,
        name,
        is_called: revision === called,
        created_at: created_at.toISOString(),
      }));
      return { data: shown, total: all?.total ?? 0 };
    },
    restore: (accountId, place, revision) =>
      transaction(async () => {
        const { slug, path } = await require(accountId, place);
        const key = [accountId, slug, path, revision];
        if (!(await find('SELECT 1 FROM published_revision WHERE account_id = $1 AND slug = $2 AND path = $3 AND revision = $4', key)))
          throw new AppError('not_found', `There is no revision ${revision} of "${slug}/${path}".`);
        await rows(
          'UPDATE published_function SET revision = $4, updated_at = now() WHERE account_id = $1 AND slug = $2 AND path = $3',
          key,
        );
      }),
    async tools(accountId) {
      const all = await rows<FunctionRow & { tool: string }>(
        `SELECT ${COLUMNS}, ${TOOL_OF} AS tool FROM ${JOINED} WHERE f.account_id = $1`,
        [accountId],
      );
      return new Map(all.map((row) => [row.tool, row]));
    },
    findTool: (accountId, tool) =>
      find<FunctionRow>(`SELECT ${COLUMNS} FROM ${JOINED} WHERE f.account_id = $1 AND ${TOOL_OF} = $2`, [accountId, tool]),
  };
}

/** What of a workflow a revision keeps. Throws AppError `bad_request`. */
function publishable({ name, format: _format, ...definition }: PublishableWorkflow): Pick<CallableFunction, 'name' | 'definition'> {
  const fault = faultOfDefinition(definition);
  if (fault !== undefined) throw new AppError('bad_request', fault);
  const needs = needsOf(definition);
  if (needs.length > 0) {
    const told = needs.map(({ kind, path }) => `${kind} (${path})`).join(', ');
    throw new AppError(
      'bad_request',
      `This workflow can not be published: it needs ${told.slice(0, 1000)}. A published one takes inputs, reads public pages and gives rows; take those out, or run it on your agent.`,
    );
  }
  return { name, definition };
}

/** Whoever takes a slug first has it for ever, also when their account is gone. Throws AppError `bad_request`, `conflict`. */
async function takeSlug({ rows, find }: Database, accountId: string, slug: string): Promise<void> {
  if (RESERVED_SLUGS.has(slug)) throw new AppError('bad_request', `The slug "${slug}" is reserved; take another.`);
  if (await find('SELECT 1 FROM slug WHERE slug = $1 AND account_id = $2 FOR UPDATE', [slug, accountId])) return;
  const hash = createHash('sha256').update(`slug\0${slug}`).digest();
  const taken = await rows('INSERT INTO taken_slug (hash) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1', [hash]);
  if (taken.length === 0) {
    // Of two calls of one account at the same time the second waited for the first.
    if (await find('SELECT 1 FROM slug WHERE slug = $1 AND account_id = $2 FOR UPDATE', [slug, accountId])) return;
    throw new AppError('conflict', `The slug "${slug}" is taken, or was once; take another.`);
  }
  await rows('INSERT INTO slug (slug, account_id) VALUES ($1, $2)', [slug, accountId]);
}

/** The name that models call a function by must fit, and be its own. Throws AppError. */
async function refuseTwin({ find }: Database, accountId: string, place: Place): Promise<void> {
  const tool = toolOf(place);
  if (tool.length > TOOL_MAX)
    throw new AppError(
      'bad_request',
      `Slug and path have ${place.slug.length + place.path.length} characters together; models call the function "${tool}", and at most ${TOOL_MAX - 2} fit.`,
    );
  const twin = await find<Place>(
    `SELECT slug, path FROM published_function f WHERE account_id = $1 AND ${TOOL_OF} = $2 AND (slug, path) <> ($3, $4)`,
    [accountId, tool, place.slug, place.path],
  );
  if (twin) throw new AppError('conflict', `Models would call it "${tool}", as "${twin.slug}/${twin.path}"; take another path.`);
}

async function write(
  { rows, find }: Database,
  accountId: string,
  { slug, path }: Place,
  name: string,
  definition: WorkflowDefinition,
): Promise<void> {
  // The row of the slug is held: publications of it come one after the other.
  const last = await find<{ revision: number }>(
    'SELECT coalesce(max(revision), 0) AS revision FROM published_revision WHERE account_id = $1 AND slug = $2 AND path = $3',
    [accountId, slug, path],
  );
  const revision = (last?.revision ?? 0) + 1;
  await rows(
    `INSERT INTO published_function (slug, path, account_id, revision) VALUES ($1, $2, $3, $4)
     ON CONFLICT (slug, path) DO UPDATE SET revision = excluded.revision, updated_at = now()`,
    [slug, path, accountId, revision],
  );
  await rows('INSERT INTO published_revision (slug, path, revision, account_id, name, definition) VALUES ($1, $2, $3, $4, $5, $6)', [
    slug,
    path,
    revision,
    accountId,
    name,
    JSON.stringify(definition),
  ]);
}

function toolOf({ slug, path }: Place): string {
  return `${slug}__${path}`.replaceAll('-', '_');
}

function notThere({ slug, path }: Place): AppError {
  return new AppError('not_found', `There is no function "${slug}/${path}".`);
}

function toPublished({ slug, path, name, revision, definition, created_at, updated_at }: FunctionRow): Published {
  const { inputs, lane = 'auto' } = definition;
  return {
    slug,
    path,
    name,
    revision,
    url: `/v1/${slug}/${path}`,
    tool: toolOf({ slug, path }),
    ...(inputs === undefined ? {} : { inputs }),
    lane,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
