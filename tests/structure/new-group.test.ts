// A group that nobody has: which files it takes, that it works, and that the check names each part that is left out.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { checkGroups } from '../../scripts/check-groups.ts';
import { listFiles } from '../../scripts/modules.ts';
import { ROOT } from './fixture.ts';

/** What somebody writes who adds a group. */
const SHELF: Readonly<Record<string, string>> = {
  'packages/contract/src/groups/shelf/book.ts': `import { z } from 'zod';
export const Book = z.strictObject({ id: z.int(), title: z.string() }).meta({ id: 'Book' });
`,
  'packages/contract/src/groups/shelf/extra-rows.ts': `import { z } from 'zod';
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';
import { Book } from './book.ts';
export const shelf = {
  put: {
    id: 'shelf.put', method: 'POST', path: '/x/shelf', summary: 'put a book', scopes: ['admin'],
    body: z.strictObject({ title: z.string() }), replies: { 201: json(Book, 'The book.') },
  },
} as const satisfies OperationGroup;
`,
  'packages/contract/src/groups/shelf/group.ts': `import type { Group } from '../../group.ts';
import { shelf } from './extra-rows.ts';
export const group = { extra: { shelf }, about: { shelf: 'Books.' } } as const satisfies Group;
`,
  'packages/daemon/src/shelf/migrations.ts': `export const migrations = { NEXT: 'CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT' };
`,
  'packages/daemon/src/shelf/store.ts': `import type { Database } from '../db/open.ts';
export const createShelf = ({ fast }: Database) => ({
  put: (title: string) => fast.prepare('INSERT INTO book (title) VALUES (?) RETURNING id, title').get(title) as { id: number; title: string },
});
`,
  'packages/daemon/src/shelf/shelf.ts': `export { createShelf } from './store.ts';
`,
  'packages/daemon/src/shelf/handlers.ts': `import type { createShelf } from './shelf.ts';
export const shelfHandlers = (shelf: ReturnType<typeof createShelf>) => ({
  put: ({ body }: { body: { title: string } }) => ({ status: 201, body: shelf.put(body.title) }),
});
`,
  'packages/daemon/src/shelf/group.ts': `import type { Group } from '../group.ts';
import { shelfHandlers } from './handlers.ts';
import { createShelf } from './shelf.ts';
declare module '../group.ts' {
  interface Nouns { readonly shelf: ReturnType<typeof createShelf> }
}
export const group: Group = {
  nouns: { shelf: ({ database }) => createShelf(database) },
  extra: ({ shelf }) => ({ shelf: shelfHandlers(shelf) }),
};
`,
  'packages/cli/src/commands/shelf/spec.ts': `import type { GroupSpec } from '../../spec.ts';
export const group: GroupSpec = { section: 'What was kept', commands: [{ name: 'shelf', summary: 'books', load: () => import('./put.ts') }] };
`,
  'packages/cli/src/commands/shelf/put.ts': `import type { CommandRun } from '../../spec.ts';
export const run: CommandRun = async (context) => context.print('put');
`,
  'tests/conformance/reach/shelf.ts': `import type { Reach } from '../ways.ts';
import { plain, post } from '../ways.ts';
const put = post('/x/shelf', { title: 'Kowari' });
export const reach: Readonly<Record<string, Reach>> = { 'shelf.put': { base: put, ways: { 201: plain(put, { book: 1 }) } } };
`,
};

/** Asks the group's operation of an agent that is made of the copy. */
const ASK = `
import { startKernelAgent } from './tests/conformance/kernel.ts';
import { REACH } from './tests/conformance/reach.ts';
await using agent = await startKernelAgent();
const { status, body } = await agent.json('POST', '/x/shelf', { title: 'Kowari' });
console.log(JSON.stringify([status, body, 'shelf.put' in REACH]));
`;

const SKIPPED = new Set(['node_modules', '.git', '.weft-tmp']);
const copy = mkdtempSync(join(tmpdir(), 'weft-new-group-'));
const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });

before(() => {
  for (const name of ['packages', 'scripts', 'tests', 'docs', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !SKIPPED.has(path.split(/[\\/]/).at(-1) ?? '') });
  // The packages are those of the copy; everything else is as it is here.
  mkdirSync(join(copy, 'node_modules', '@weft'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@weft') symlinkSync(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name));
  for (const name of readdirSync(join(copy, 'packages')))
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules', '@weft', name));
});
after(() => rmSync(copy, { recursive: true }));

suite('a new group', () => {
  test('is files of its own: no file that is there already is touched by hand, and it works', (context) => {
    const steps = Number(/const migrations = (\d+)/.exec(run('--input-type=module', '-e', COUNT).stdout)?.[1]);
    for (const [path, text] of Object.entries(SHELF)) {
      assert.ok(!existsSync(join(copy, path)), `${path} is there already`);
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(join(copy, path), text.replace('NEXT', String(steps + 1)));
    }
    const written = run('scripts/generate.ts');
    assert.equal(written.status, 0, written.stderr);
    const answer = run('--input-type=module', '-e', ASK);
    assert.equal(answer.status, 0, answer.stderr);
    assert.deepEqual(JSON.parse(answer.stdout), [201, { id: 1, title: 'Kowari' }, true]);
    assert.match(run('packages/cli/src/main.ts', '--help').stdout, /shelf .*books/);
    for (const path of Object.keys(SHELF)) context.diagnostic(`by hand: ${path}`);
    for (const line of written.stdout.trim().split('\n').slice(0, -1)) context.diagnostic(line);
    assert.deepEqual(changedByHand(), []);
  });

  for (const part of [
    'packages/contract/src/groups/shelf/group.ts',
    'packages/daemon/src/shelf/group.ts',
    'packages/daemon/src/shelf/handlers.ts',
    'packages/cli/src/commands/shelf/spec.ts',
    'tests/conformance/reach/shelf.ts',
  ])
    test(`is refused by name without ${part}`, () => {
      assert.deepEqual(checkGroups(copy).problems, []);
      const text = readFileSync(join(copy, part), 'utf8');
      rmSync(join(copy, part));
      const { problems } = checkGroups(copy);
      writeFileSync(join(copy, part), text);
      assert.ok(
        problems.some((problem) => problem.includes('shelf') && problem.includes(part)),
        problems.join('\n'),
      );
    });
});

const COUNT = `
import { MIGRATIONS } from './packages/daemon/src/db/migrations.ts';
console.log('const migrations = ' + MIGRATIONS.length);
`;

/** Files of the copy that differ from ours, that no program wrote, and that are not the group's own. */
function changedByHand(): string[] {
  const sources = ['packages', 'scripts', 'tests'].flatMap((folder) => listFiles(copy, folder, ['.ts', '.json']));
  return sources.filter((path) => {
    if (path in SHELF) return false;
    return !existsSync(join(ROOT, path)) || readFileSync(join(ROOT, path), 'utf8') !== readFileSync(join(copy, path), 'utf8');
  });
}
