// Beyond the specification: the agent as a server of the Model Context Protocol, at the path that its clients expect (D1, D18).
import { z } from 'zod';
import type { OperationGroup } from '../../operation.ts';
import { none } from '../../replies.ts';

const rpc = (description: string) => ({ description, content: { 'application/json': 'bytes' } }) as const;

export const mcp = {
  call: {
    id: 'mcp.call',
    method: 'POST',
    path: '/mcp',
    summary: 'Model Context Protocol: workflows with `expose` as tools',
    scopes: ['run'],
    bodyType: 'json-rpc',
    body: z.record(z.string(), z.unknown()).describe('One JSON-RPC 2.0 message.'),
    replies: {
      200: {
        description: 'The answer, alone or at the end of a stream of messages.',
        content: { 'application/json': 'bytes', 'text/event-stream': 'bytes' },
      },
      202: none('A notification, taken.'),
      400: rpc('A message that the protocol has not, or a header that says something else than it.'),
      404: rpc('A method that is not served.'),
      406: rpc('Send `Accept: application/json, text/event-stream`.'),
    },
  },
} as const satisfies OperationGroup;
