import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { CHILD_ENV } from '../child-env.ts';
import { ROOT } from './fixture.ts';

/** What only a job needs: an agent that waits for one must not hold it in memory, nor load it before its first answer. */
const OF_JOBS =
  /\/node_modules\/(?:undici|playwright-core|tar-fs|@peculiar|mammoth|unpdf|fontoxpath|liquidjs|ajv|@fastify\/busboy)\/|\/engine\/src\/(?:extract\/main-content|records\/detect|page\/page-document|crawl\/loop\/run-crawl|run\/loop|build\/build\.|io\/browser\/lane)/;

const LISTING = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
await import(process.argv[1]);
console.log(JSON.stringify(loaded));
`;

test('an agent loads what a job needs with the first job', () => {
  const program = join(ROOT, 'packages/daemon/src/program.ts');
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', LISTING, program], {
    env: CHILD_ENV,
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  const loaded = JSON.parse(stdout) as readonly string[];
  assert.ok(
    loaded.some((url) => url.endsWith('/daemon/src/start.ts')),
    'the agent itself',
  );
  assert.deepEqual(
    loaded.filter((url) => OF_JOBS.test(url)),
    [],
  );
});
