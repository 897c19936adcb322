// The OpenAPI documents that the agent serves: the specified operations, and what lies beyond them.
import { DAEMON_TABLE, EXTRA_TABLE, buildOpenApi } from '@weft/contract';
import type { OperationTable } from '@weft/contract';
import { jsonAnswer } from '@weft/serve';
import type { Outgoing } from '@weft/serve';

export interface Documents {
  specified(): Outgoing;
  extra(): Outgoing;
}

const GROUPS: Readonly<Record<string, string>> = {
  agent: 'The agent itself.',
  runs: 'Everything that executes.',
  files: 'Bytes that were uploaded or written from data.',
  datasets: 'The rows and pages of all runs.',
  crawl: 'Pages and whole sites, fetched and kept.',
  crawlDefinitions: 'Saved crawls.',
  keys: 'Restricted keys.',
  wsTicket: 'Tickets for the WebSocket.',
  token: 'The runtime token.',
  map: 'The addresses of a site.',
  extract: 'Parts of one page, answered at once.',
};

export function openApiDocuments(version: string, baseUrl: () => string): Documents {
  const build = (title: string, description: string, table: OperationTable) => () =>
    jsonAnswer(200, buildOpenApi(table, { title, description, version, serverUrl: baseUrl(), groups: GROUPS }));
  return {
    specified: build('Weft local agent', 'The operations of the interface specification that this agent serves.', DAEMON_TABLE),
    extra: build('Weft local agent: beyond the specification', 'Operations under /x/.', EXTRA_TABLE),
  };
}
