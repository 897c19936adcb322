// Answers the operations of history.
import type { DiffRender, ExtraTable, ReplyOf } from '@weft/contract';
import { attachmentHeader, cursorHeaders, listHeaders } from '@weft/serve';
import type { Actor, GroupHandlers } from '@weft/serve';
import { safeContentType, safeFileName } from '../../files/name.ts';
import type { Monitors } from '../monitor.ts';
import type { Asker, Diffs, WrittenDiff } from './diffs.ts';
import type { History } from './history.ts';
import type { Snapshots } from './snapshot.ts';

/** What they call. */
export interface HistoryNouns {
  readonly monitors: Pick<Monitors, 'requireRow'>;
  readonly snapshots: Snapshots;
  readonly diffs: Diffs;
  readonly history: History;
}

type HistoryVerb =
  | 'snapshots'
  | 'snapshot'
  | 'snapshotContent'
  | 'diff'
  | 'changeDiff'
  | 'values'
  | 'durations'
  | 'hours'
  | 'atom'
  | 'feed';

export function historyHandlers({
  monitors,
  snapshots,
  diffs,
  history,
}: HistoryNouns): Pick<GroupHandlers<ExtraTable['monitors']>, HistoryVerb> {
  return {
    snapshots: ({ params: { id }, query }) => {
      monitors.requireRow(id);
      const { data, total } = snapshots.list(id, query);
      const headers = listHeaders(`/x/monitors/${id}/snapshots`, query, data.length, total);
      return { status: 200, headers, body: { data, count: data.length } };
    },
    snapshot: async ({ params: { id, snapshot } }) => ({ status: 200, body: await snapshots.require(id, snapshot) }),
    snapshotContent: ({ params: { id, snapshot }, query: { part = 'body' } }) => {
      const { content_type: type, bytes, read } = snapshots.requireContent(id, snapshot, part);
      const headers = {
        'content-type': downloadType(type),
        'content-length': String(bytes),
        'content-disposition': attachmentHeader(fileName(`monitor-${id}-${snapshot}-${part}`, type)),
      };
      return { status: 200, type: '*/*', headers, body: read() };
    },
    diff: async ({ params: { id }, query, ...call }) => {
      monitors.requireRow(id);
      return answerDiff(await diffs.ofSnapshots(id, query, askerOf(call)), query.render);
    },
    changeDiff: async ({ params, query, ...call }) => answerDiff(await diffs.ofChange(params.id, query, askerOf(call)), query.render),
    values: async ({ params: { id }, query }) => {
      const { data, nextCursor } = await history.values(id, query);
      const headers = cursorHeaders(`/x/monitors/${id}/values`, query, nextCursor);
      const next = nextCursor === undefined ? {} : { next_cursor: nextCursor };
      return { status: 200, headers, body: { data, count: data.length, ...next } };
    },
    durations: async ({ params, query }) => ({ status: 200, body: await history.durations(params.id, query) }),
    hours: ({ params: { id }, query }) => {
      const { data, total } = history.hours(id, query);
      const headers = listHeaders(`/x/monitors/${id}/hours`, query, data.length, total);
      return { status: 200, headers, body: { data, count: data.length } };
    },
    atom: async ({ params, query, origin, ...call }) => {
      const body = await history.feedOf(params.id, query.limit, origin, askerOf(call));
      return { status: 200, type: 'application/atom+xml', body };
    },
    feed: async ({ query, origin, ...call }) => {
      const body = await history.feed(query, origin, askerOf(call));
      return { status: 200, type: 'application/atom+xml', body };
    },
  };
}

function askerOf({ actor, signal }: { readonly actor: Actor; readonly signal: AbortSignal }): Asker {
  return { id: actor.id, signal };
}

const FORMS = {
  text: { type: 'text/plain', extension: 'txt' },
  markdown: { type: 'text/markdown', extension: 'md' },
  html: { type: 'text/html', extension: 'html' },
} as const;

function answerDiff({ diff, text = '', picture }: WrittenDiff, render: DiffRender | undefined): ReplyOf<ExtraTable['monitors']['diff']> {
  const name = diff.change_id === undefined ? `monitor-${diff.monitor_id}-diff` : `change-${diff.change_id}-diff`;
  const headers = (extension: string) => ({ 'content-disposition': attachmentHeader(`${name}.${extension}`) });
  if (render === undefined) return { status: 200, body: diff };
  if (render === 'png') return { status: 200, type: 'image/png', headers: headers('png'), body: picture ?? new Uint8Array() };
  const { type, extension } = FORMS[render];
  const body = render === 'html' ? `<!doctype html><meta charset="utf-8"><title>${name}</title>\n${text}` : text;
  return { status: 200, type, headers: headers(extension), body };
}

/** The type as it came, without what no type has, and the charset that it was sent in. */
function downloadType(sent: string): string {
  const charset = /;\s*charset="?([\w.:-]{1,40})/i.exec(sent)?.[1];
  return `${safeContentType(sent)}${charset === undefined ? '' : `; charset=${charset}`}`;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'text/html': 'html',
  'text/plain': 'txt',
};

function fileName(name: string, type: string): string {
  const extension = EXTENSIONS[safeContentType(type)];
  return safeFileName(extension === undefined ? name : `${name}.${extension}`);
}
