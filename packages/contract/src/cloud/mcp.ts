// The cloud as a server of the Model Context Protocol (D47).
import { mcp as agent } from '../groups/mcp/extra-rows.ts';
import type { OperationGroup } from '../operation.ts';

export const mcp = { call: { ...agent.call, summary: 'MCP server (JSON-RPC)' } } as const satisfies OperationGroup;
