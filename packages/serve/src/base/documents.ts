// The OpenAPI documents of a server, each of one table.
import { ABOUT_GROUPS, buildOpenApi } from '@weft/contract';
import type { OperationTable } from '@weft/contract';
import type { OpenRoute } from '../kernel/kernel.ts';
import { jsonAnswer } from '../wire/message.ts';

/** What a document says of its server beside the operations; the address is known once the server listens. */
export interface DocumentText {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** A sentence for each group of the table; the agent's unless said. */
  readonly groups?: Readonly<Record<string, string>>;
  address(): string;
}

/** The route that answers with the document of `table`. */
export function documentRoute(table: OperationTable, { address, groups = ABOUT_GROUPS, ...text }: DocumentText): OpenRoute {
  return { methods: ['GET'], answer: () => jsonAnswer(200, buildOpenApi(table, { ...text, serverUrl: address(), groups })) };
}
