// `npm run pack`: two packages for elsewhere, `@weft/client` and the command `weft`, as JavaScript below dist/. Node strips no types below node_modules.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, resolve } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const MODULES = ['cli', 'client', 'contract', 'daemon', 'engine', 'serve'] as const;
/** Of the platform: `AbortSignal.any`, which the client needs (nodejs.org, added in 20.3). */
const CLIENT_NODE = '>=20.3';
/** The launcher starts there, and finds Node 24, which comes along. */
const COMMAND_NODE = '>=20.6';
const RELATIVE_TS = /((?:from|import|import\(|new URL\()\s*['"]\.{1,2}\/[^'"]+)\.ts(?=['"])/g;

mkdirSync(dist, { recursive: true });
const work = mkdtempSync(join(dist, '.pack-'));
try {
  compile();
  for (const archive of [pack(stageClient()), pack(stageCommand())]) console.log(archive);
} finally {
  rmSync(work, { recursive: true });
}

/** JavaScript of all packages below `work`/js, and the types of those that others program with; whether types hold is for `npm run check`. */
function compile(): void {
  for (const name of MODULES)
    for (const path of sourcesOf(name)) {
      const file = join(work, 'js', name, 'src', path.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(file), { recursive: true });
      const code = stripTypeScriptTypes(readFileSync(join(root, 'packages', name, 'src', path), 'utf8'));
      writeFileSync(file, code.replaceAll(RELATIVE_TS, '$1.js'));
    }
  emitTypes(['client', 'contract']);
}

function sourcesOf(name: string): readonly string[] {
  return globSync('**/*.ts', { cwd: join(root, 'packages', name, 'src'), exclude: ['**/*.test.ts', '**/*.fixtures.ts'] });
}

function emitTypes(names: readonly string[]): void {
  const places = { outDir: join(work, 'js'), rootDir: join(root, 'packages') };
  const compilerOptions = { noEmit: false, noCheck: true, declaration: true, emitDeclarationOnly: true, ...places };
  const include = names.map((name) => join(root, 'packages', name, 'src'));
  const config = join(work, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include, exclude: [join(root, '**/*.test.ts')] }),
  );
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], root);
  for (const name of names)
    for (const path of globSync('**/*.d.ts', { cwd: join(work, 'js', name) })) {
      const file = join(work, 'js', name, path);
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(RELATIVE_TS, '$1.js'));
    }
}

/** The client, with the contract's types inside it. */
function stageClient(): string {
  const folder = join(work, 'client');
  const { version } = manifestOf('client');
  copyModule('client', folder);
  copyModule('contract', join(folder, 'node_modules/@weft/contract'), (path) => !path.endsWith('.js'));
  writeManifest(folder, {
    name: '@weft/client',
    version,
    description: 'The TypeScript client of the Weft agent.',
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: CLIENT_NODE },
    exports: { '.': entry('./src/index'), './node': entry('./src/node') },
    dependencies: { '@weft/contract': version, ...outside(manifestOf('contract').dependencies) },
    bundleDependencies: ['@weft/contract'],
  });
  cpSync(join(root, 'packages/client/README.md'), join(folder, 'README.md'));
  return folder;
}

/** The command and the agent that it starts, with all of our packages inside it. */
function stageCommand(): string {
  const folder = join(work, 'weft');
  const { version, optionalDependencies: platforms } = readManifest(join(root, 'package.json'));
  for (const name of MODULES) copyModule(name, join(folder, 'node_modules/@weft', name), (path) => !path.endsWith('.d.ts'));
  const manifests = MODULES.map(manifestOf);
  const ours = manifests.map(({ name }) => name);
  writeManifest(folder, {
    name: 'weft',
    version,
    description: 'Extracts and monitors web data: a local agent and its command line.',
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: COMMAND_NODE },
    bin: { weft: 'weft.mjs' },
    dependencies: Object.assign(
      Object.fromEntries(ours.map((name) => [name, version])),
      ...manifests.flatMap(({ dependencies, optionalDependencies }) => [outside(dependencies), optionalDependencies]),
    ),
    optionalDependencies: platforms,
    bundleDependencies: ours,
  });
  cpSync(join(root, 'scripts/launcher.mjs'), join(folder, 'weft.mjs'));
  cpSync(join(root, 'README.md'), join(folder, 'README.md'));
  return folder;
}

/** One of our packages as compiled, of the files that `wanted` takes, with a manifest that names JavaScript. */
function copyModule(name: string, folder: string, wanted: (path: string) => boolean = () => true): void {
  cpSync(join(work, 'js', name, 'src'), join(folder, 'src'), { recursive: true, filter: (path) => wanted(path) });
  const { version, dependencies, exports = {} } = manifestOf(name);
  const entries = Object.entries(exports).map(([key, path]) => [key, entry(path.replace(/\.ts$/, ''))]);
  writeManifest(folder, { name: `@weft/${name}`, version, type: 'module', exports: Object.fromEntries(entries), dependencies });
}

function entry(path: string) {
  return { types: `${path}.d.ts`, default: `${path}.js` };
}

function outside(dependencies: Manifest['dependencies'] = {}) {
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => !name.startsWith('@weft/')));
}

function manifestOf(name: string): Manifest {
  return readManifest(join(root, 'packages', name, 'package.json'));
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}

function writeManifest(folder: string, manifest: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The archive of what lies in `folder`, below dist/. */
function pack(folder: string): string {
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const name = run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', dist], folder).trim();
  return join(dist, name.split('\n').at(-1) ?? '');
}

function run(command: string, args: readonly string[], cwd: string): string {
  const result = spawnSync(command, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' && command === 'npm' });
  if (result.status === 0) return result.stdout;
  throw new Error(`npm run pack: ${command} failed\n${result.error?.message ?? ''}${result.stdout}${result.stderr}`);
}
