// The OpenAPI documents that the agent serves: the specified operations, and what lies beyond them.
import { ABOUT_GROUPS, DAEMON_TABLE, EXTRA_TABLE, buildOpenApi } from '@weft/contract';
import type { OperationTable } from '@weft/contract';
import { jsonAnswer } from '@weft/serve';
import type { Outgoing } from '@weft/serve';

export interface Documents {
  specified(): Outgoing;
  extra(): Outgoing;
}

export function openApiDocuments(version: string, baseUrl: () => string): Documents {
  const build = (title: string, description: string, table: OperationTable) => () =>
    jsonAnswer(200, buildOpenApi(table, { title, description, version, serverUrl: baseUrl(), groups: ABOUT_GROUPS }));
  return {
    specified: build('Weft local agent', 'The operations of the interface specification that this agent serves.', DAEMON_TABLE),
    extra: build('Weft local agent: beyond the specification', 'Operations under /x/.', EXTRA_TABLE),
  };
}
