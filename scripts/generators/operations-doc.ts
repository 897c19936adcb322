// Writes docs/operations.md: where each operation's contract, handler and tests are.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DAEMON_TABLE, EXTRA_TABLE, errorCodesOf } from '@weft/contract';
import type { Operation, OperationTable } from '@weft/contract';

const ROOT = join(import.meta.dirname, '..', '..');
/** Groups that live in a folder of another name. */
const FOLDERS: Readonly<Record<string, string>> = { wsTicket: 'ws-ticket', crawlDefinitions: 'crawl', monitorTags: 'monitors' };
/** What every operation can answer; named once, above the tables. */
const SHARED = ['bad_request', 'unauthorized', 'forbidden', 'too_many_requests', 'internal'];

/** Markdown text of the document. */
export function operationsDoc(): string {
  return [
    '# Operations of the agent',
    '',
    'Generated from the operation tables by `npm run generate`. Do not edit.',
    '',
    'Every operation can answer 400 `bad_request`, 401 `unauthorized`, 403 `forbidden`, 429 `too_many_requests` and 500 `internal`; the tables list what else. `run:own` is the run scope on what the same token started; `runtime` is the runtime token alone. Every declared status of every operation is reached in `tests/conformance/statuses.test.ts`.',
    '',
    '## The specification',
    '',
    ...sections(DAEMON_TABLE, 'rows'),
    '## Beyond it, under /x/',
    '',
    ...sections(EXTRA_TABLE, 'extra-rows'),
  ].join('\n');
}

function sections(table: OperationTable, rows: string): string[] {
  return Object.entries(table).flatMap(([group, operations]) => [
    `### ${group}`,
    '',
    filesOf(group, rows),
    '',
    '| operation | method and path | scope | statuses | errors |',
    '|---|---|---|---|---|',
    ...Object.values(operations).map(row),
    '',
  ]);
}

function filesOf(group: string, rows: string): string {
  const folder = FOLDERS[group] ?? group;
  const contract = `packages/contract/src/groups/${folder}/${rows}.ts`;
  const handlers = `packages/daemon/src/${folder}/handlers.ts`;
  if (!exists(contract) || !exists(handlers))
    throw new Error(`The files of group ${group} are not where every group's are: ${contract}, ${handlers}`);
  return `Contract \`${contract}\`, handlers \`${handlers}\`.`;
}

function exists(path: string): boolean {
  return existsSync(join(ROOT, path));
}

function row(operation: Operation): string {
  const errors = errorCodesOf(operation).filter((code) => !SHARED.includes(code));
  const cells = [
    operation.id,
    `${operation.method} ${operation.path}`,
    operation.scopes.join(', '),
    Object.keys(operation.replies).join(', '),
    errors.join(', '),
  ];
  return `| ${cells.map((cell) => (cell === '' ? '' : `\`${cell}\``)).join(' | ')} |`;
}
