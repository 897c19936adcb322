// Feeds of what changed, for readers that have nothing but a link: it is signed for a key, and holds as long as that.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '@weft/contract';
import type { AccountTable, Input, TargetChange } from '@weft/contract';
import { feedComparison } from '@weft/engine';
import type { ViewReader } from '@weft/engine';
import { atomFeed } from '@weft/serve';
import type { Database } from '../db/queries.ts';
import { requireTarget } from './reading.ts';
import type { Targets } from './target.ts';

type FeedAsked = Input<AccountTable['targetHistory']['feed']>['query'];

export interface TargetFeeds {
  /** The feed of an account or of one target as Atom. Throws AppError `not_found`, for a link that does not hold too. */
  read(asked: FeedAsked, signal: AbortSignal): Promise<string>;
  /** A link to it for the key that asks. Throws AppError `not_found`. */
  link(accountId: string, keyId: string, target: string | undefined): Promise<string>;
}

export interface FeedPorts {
  readonly database: Database;
  readonly targets: Pick<Targets, 'changes' | 'recentChanges'>;
  readonly views: ViewReader;
  /** Signs links. */
  readonly secret: Uint8Array;
  /** Where links lead. */
  baseUrl(): string;
}

const PATH = '/api/account/targets/atom';
const ENTRIES_DEFAULT = 20;

export function createTargetFeeds({ database, targets, views, secret, baseUrl }: FeedPorts): TargetFeeds {
  const sign = (keyId: string, target: string) =>
    createHmac('sha256', secret).update(['feed', keyId, target].join('\0')).digest('base64url');
  const linkOf = (keyId: string, target: string | undefined) => {
    const query = { ...(target === undefined ? {} : { target_id: target }), key: keyId, signature: sign(keyId, target ?? '') };
    return `${baseUrl()}${PATH}?${new URLSearchParams(query)}`;
  };
  /** Whose link it is: whoever has it is nobody. */
  const accountOfLink = async ({ key, signature, target_id: target = '' }: FeedAsked): Promise<string> => {
    const [expected, given] = [Buffer.from(sign(key, target)), Buffer.from(signature)];
    const isSigned = expected.length === given.length && timingSafeEqual(expected, given);
    const find = () => database.find<{ account_id: string }>('SELECT account_id FROM account_key WHERE id = $1', [key]);
    const row = isSigned ? await database.asProgram(find) : undefined;
    if (!row)
      throw new AppError('not_found', 'There is no such feed: the link was not made here, or the key that asked for it was deleted.');
    return row.account_id;
  };
  const htmlOf = async ({ kind, old, new: fresh }: TargetChange, accountId: string, signal: AbortSignal) => {
    const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
    const comparison = feedComparison(kind, json(old), json(fresh));
    return comparison && (await views.run('diff', { comparison, render: ['html'] }, signal, accountId)).result.rendered.html;
  };
  const feed = async (accountId: string, { target_id: id, limit = ENTRIES_DEFAULT }: FeedAsked, signal: AbortSignal) => {
    const target = id === undefined ? undefined : await requireTarget(database, accountId, id);
    const { data } = await (id === undefined ? targets.recentChanges(accountId, { limit }) : targets.changes(accountId, id, { limit }));
    const entries = await Promise.all(
      data.map(async (change) => ({
        name: change.id,
        of: change.target_name,
        kind: change.kind,
        summary: change.summary,
        atMs: Date.parse(change.created_at),
        page: change.url,
        html: await htmlOf(change, accountId, signal),
      })),
    );
    return { entries, target };
  };
  return {
    async read(asked, signal) {
      const accountId = await accountOfLink(asked);
      return await database.as(accountId, async () => {
        const { entries, target } = await feed(accountId, asked, signal);
        const account = await database.find<{ created_at: Date }>('SELECT created_at FROM account WHERE id = $1', [accountId]);
        const { target_id: id, key } = asked;
        return atomFeed(
          {
            name: target?.id ?? accountId,
            title: target ? `Changes of ${target.name}` : 'Changes of all targets',
            self: linkOf(key, id),
            page: target?.url,
            updatedMs: (target?.created_at ?? account?.created_at)?.getTime() ?? 0,
          },
          entries,
        );
      });
    },
    async link(accountId, keyId, target) {
      if (target !== undefined) await requireTarget(database, accountId, target);
      return linkOf(keyId, target);
    },
  };
}
