// How to bring each operation of mcp to each status that it declares.
import type { KernelCall } from '../kernel.ts';
import type { Reach } from '../ways.ts';
import { plain, post } from '../ways.ts';

const ACCEPT = ['Accept', 'application/json, text/event-stream'];

const rpc = (method: string, more: object = {}, headers: readonly string[] = ACCEPT): KernelCall => ({
  ...post('/mcp', { jsonrpc: '2.0', method, ...more }),
  headers,
});
/** As the revision of 2026 asks: every request says which it speaks. */
const modern = (method: string, version = '2026-07-28'): KernelCall =>
  rpc(
    method,
    {
      id: 1,
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} } },
    },
    [...ACCEPT, 'MCP-Protocol-Version', version, 'Mcp-Method', method],
  );

export const reach: Readonly<Record<string, Reach>> = {
  'mcp.call': {
    base: modern('tools/list'),
    ways: {
      200: plain(modern('tools/list')),
      202: plain(rpc('notifications/initialized')),
      400: plain(modern('tools/list', '1999-01-01')),
      404: plain(modern('tools/none')),
      406: plain(rpc('tools/list', { id: 1 }, ['Accept', 'text/html'])),
    },
  },
};
