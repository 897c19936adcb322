// The row that carries the protocol, on either surface: hands each message to the adapter, and its answer back.
import type { ExtraTable, ReplyOf } from '@weft/contract';
import { CallerLeft } from '../wire/errors.ts';
import type { GroupHandlers } from '../kernel/handlers.ts';
import type { McpAdapter, McpReply } from './adapter.ts';

type Rows = ExtraTable['mcp'];

/** The handler of `/mcp`. */
export function mcpHandlers(adapter: McpAdapter): GroupHandlers<Rows> {
  return { call: async (call) => replyOf(await adapter.answer(call)) };
}

/** Neither a file nor a page: the protocol's own client reads it. */
const INLINE = { 'content-disposition': 'inline' };

function replyOf({ status, type, body }: McpReply): ReplyOf<Rows['call']> {
  if (status === 202) return { status };
  if (status === 200)
    return type?.startsWith('text/event-stream')
      ? { status, type: 'text/event-stream', headers: INLINE, body }
      : { status, headers: INLINE, body };
  if (status === 400 || status === 404 || status === 406) return { status, headers: INLINE, body };
  // Whoever asked is gone.
  if (status === 499) throw new CallerLeft();
  throw new Error(`The protocol's handler answered ${status}.`);
}
