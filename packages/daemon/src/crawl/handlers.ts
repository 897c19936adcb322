// Group Crawl, with the saved crawls, and what lies beyond the specification.
import type { DaemonTable, ExtraTable } from '@weft/contract';
import { creation } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { cursorHeaders, listHeaders } from '@weft/serve';
import { answerDispatched } from '../runs/answer.ts';
import type { WaitOptions } from '../runs/answer.ts';
import { cancelRun } from '../runs/cancel.ts';
import type { Executor } from '../runs/executor.ts';
import type { Runs } from '../runs/run.ts';
import type { Crawls } from './crawl.ts';
import type { CursorQuery } from './cursor.ts';
import type { CrawlDefinitions } from './definition.ts';
import type { ExplainUrls } from './explain.ts';

/** What the handlers of crawls call. */
export interface CrawlNouns {
  readonly crawls: Crawls;
  readonly definitions: CrawlDefinitions;
  readonly explain: ExplainUrls;
  readonly runs: Runs;
  readonly executor: Executor;
}

export function crawlHandlers(nouns: CrawlNouns): GroupHandlers<DaemonTable['crawl']> {
  const { crawls, runs, executor } = nouns;
  return {
    list: ({ query, ownerId }) => {
      const { data, total } = crawls.list({ ...query, ownerId });
      return { status: 200, headers: listHeaders('/v1/crawl', query, data.length, total), body: { data, count: data.length } };
    },
    start: creation({
      effect: ({ body, actor }) => crawls.create(body, actor),
      answer: (id, { body, signal }) => dispatchedReply(id, body, nouns, signal),
    }),
    read: ({ params, query }) => pagesReply(200, params.id, query, crawls),
    cancel: ({ params }) => {
      crawls.read(params.id, { limit: 1 });
      const { isCancelled, run } = cancelRun(params.id, { runs, executor });
      return { status: isCancelled ? 200 : 409, body: run };
    },
  };
}

export function crawlDefinitionHandlers(nouns: CrawlNouns): GroupHandlers<DaemonTable['crawlDefinitions']> {
  const { crawls, definitions, executor } = nouns;
  return {
    list: ({ query }) => {
      const { data, total } = definitions.list(query);
      return { status: 200, headers: listHeaders('/v1/crawl/definitions', query, data.length, total), body: { data, count: data.length } };
    },
    create: creation({
      effect: ({ body }) => definitions.create(body).id,
      answer: (id) => ({ status: 201, body: definitions.require(String(id)) }),
    }),
    read: ({ params }) => ({ status: 200, body: definitions.require(params.ref) }),
    update: ({ params, body }) => ({ status: 200, body: definitions.update(params.ref, body) }),
    delete: ({ params }) => {
      for (const id of definitions.delete(params.ref)) executor.abort(id);
      return { status: 204 };
    },
    run: creation({
      effect: ({ params, body, actor }) => definitions.run(params.ref, body.max_age, actor),
      answer: async ({ id, isReused }, { body, signal }) => {
        if (!isReused) return await dispatchedReply(id, body, nouns, signal);
        const reply = pagesReply(200, id, {}, crawls);
        return { ...reply, body: { ...reply.body, reused: true } };
      },
    }),
    data: ({ params, query }) => {
      const { ids, items, lastId } = definitions.data(params.ref, query);
      const next = lastId === undefined ? {} : { next_cursor: String(lastId) };
      const headers = cursorHeaders(`/v1/crawl/definitions/${params.ref}/data`, query, next.next_cursor);
      return { status: 200, headers, body: { data: [], count: ids.length, ...next }, items };
    },
  };
}

export function extraCrawlHandlers({ crawls, explain }: CrawlNouns): GroupHandlers<ExtraTable['crawl']> {
  return {
    ledger: ({ params, query }) => {
      if (query.format !== 'ndjson') return { status: 200, body: crawls.ledger(params.id, query, query) };
      const lines = crawls.ledgerLines(params.id, query, query.cursor);
      return { status: 200, type: 'application/x-ndjson', body: inTurns(lines) };
    },
    reasons: ({ params }) => {
      const data = crawls.reasons(params.id);
      return { status: 200, body: { data, count: data.length } };
    },
    delete: async ({ params }) => {
      await crawls.delete(params.id);
      return { status: 204 };
    },
    explain: async ({ body, actor, signal }) => {
      const data = await explain(crawls.optionsFor(body.options, actor), body.urls, signal);
      return { status: 200, body: { data, count: data.length } };
    },
  };
}

/** A new crawl as the caller wants it: at once, or once it is settled. */
async function dispatchedReply(id: number, options: WaitOptions, nouns: CrawlNouns, signal: AbortSignal) {
  return pagesReply(await answerDispatched(id, options, nouns, signal), id, {}, nouns.crawls);
}

/** A crawl and a slice of its pages, which are read as the caller takes them. */
function pagesReply<Status extends 200 | 202>(status: Status, id: number, query: CursorQuery, crawls: Crawls) {
  const { body, items } = crawls.read(id, query);
  return { status, headers: cursorHeaders(`/v1/crawl/${id}`, { ...query }, body.next_cursor), body, items };
}

/** The texts as bytes; the event loop turns between them. */
async function* inTurns(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    yield Buffer.from(text);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
