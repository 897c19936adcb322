// Both OpenAPI documents through tools that others use on them: a linter, and a generator of TypeScript types.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { ACCOUNT_TABLE, CLOUD_TABLE, DAEMON_TABLE, EXTRA_TABLE, buildOpenApi } from '@weft/contract';
import type { OperationTable } from '@weft/contract';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const TOOLS = join(ROOT, 'tools', 'openapi', 'node_modules');
const REDOCLY = join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');

/**
 * The recommended rules but two: one dislikes loopback addresses, which are all that this server has; the other the specification's own
 * /v1/crawl/{id} beside /v1/crawl/definitions, where the kernel takes fixed segments first.
 */
const LINT_RULES = `extends: [recommended]
rules:
  no-server-example.com: off
  no-ambiguous-paths: off
`;

const USE = `import type { paths } from './document.d.ts';
export type Documented = paths[keyof paths];
`;

const DOCUMENTS: readonly (readonly [name: string, table: OperationTable])[] = [
  ['the specified operations', DAEMON_TABLE],
  ['the operations beyond the specification', EXTRA_TABLE],
  ['the specified operations of the cloud', CLOUD_TABLE],
  ['the management of its accounts', ACCOUNT_TABLE],
];

suite('OpenAPI documents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-openapi-'));
  after(() => rmSync(folder, { recursive: true }));
  before(() => writeFileSync(join(folder, 'redocly.yaml'), LINT_RULES));

  const lint = async (file: string): Promise<readonly object[]> => {
    const { stdout } = await toolOutput([REDOCLY, 'lint', '--config', join(folder, 'redocly.yaml'), '--format', 'json', file]);
    return (JSON.parse(stdout) as { problems: readonly object[] }).problems;
  };

  test('redocly sees what is wrong with a bad document', async () => {
    const file = join(folder, 'bad.json');
    writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'bad', version: '1' }, paths: { '/a/{id}': { get: {} } } }));
    assert.notDeepEqual(await lint(file), []);
  });

  for (const [name, table] of DOCUMENTS) {
    const file = join(folder, `${name.replaceAll(' ', '-')}.json`);
    before(() => {
      const groups = Object.fromEntries(Object.keys(table).map((group) => [group, `Group ${group}.`]));
      const info = { title: name, description: name, version: '1.0.0', serverUrl: 'http://127.0.0.1:8131', groups };
      writeFileSync(file, JSON.stringify(buildOpenApi(table, info)));
    });

    test(`redocly finds nothing wrong with ${name}`, async () => assert.deepEqual(await lint(file), []));

    test(`types made from ${name} compile`, async () => {
      const types = join(folder, 'document.d.ts');
      await toolOutput([join(TOOLS, 'openapi-typescript', 'bin', 'cli.js'), file, '-o', types]);
      writeFileSync(join(folder, 'use.ts'), USE);
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--allowImportingTsExtensions'];
      await toolOutput([join(TOOLS, 'typescript', 'bin', 'tsc'), ...options, join(folder, 'use.ts')]);
    });
  }
});

/** Runs a tool of Node; its output is in the message when it fails. */
async function toolOutput(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  try {
    return await run(process.execPath, [...args], { cwd: ROOT, env: { ...process.env, REDOCLY_TELEMETRY: 'off' }, maxBuffer: 10_000_000 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    if (stdout.startsWith('{')) return { stdout, stderr };
    throw new Error(`${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}
