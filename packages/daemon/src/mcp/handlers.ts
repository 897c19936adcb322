// Group MCP: both surfaces carry the protocol alike.
export { mcpHandlers } from '@weft/serve';
