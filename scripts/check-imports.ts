// Holds imports, those of types and by `import()` included, to the directions that docs/architecture.md draws, and refuses circles.
import { existsSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { findCircles } from './circles.ts';
import { type Module, listFiles, readModule } from './modules.ts';

interface PackageRule {
  /** The workspace packages that it may import. */
  readonly weft: readonly string[];
  /** Those of `weft` that it may only take types from; the schemas of the contract cost a command more time than all else that it loads. */
  readonly typesOnly?: readonly string[];
  /** The modules from outside that it may import; absent means any. */
  readonly outside?: readonly string[];
}

const PACKAGES: Readonly<Record<string, PackageRule>> = {
  contract: { weft: [], outside: ['zod'] },
  engine: { weft: ['contract'], typesOnly: ['contract'] },
  serve: { weft: ['contract'] },
  daemon: { weft: ['serve', 'engine', 'contract'] },
  cloud: { weft: ['serve', 'engine', 'contract'] },
  client: { weft: ['contract'], typesOnly: ['contract'] },
  cli: { weft: ['client', 'contract'], typesOnly: ['contract'] },
  console: { weft: ['client', 'contract'], typesOnly: ['contract'] },
};

/** The engine's files that may touch the machine: everything else there is pure. */
const ENGINE_OUTSIDE = /^packages\/engine\/src\/(io\/|batch-main\.ts$)/;
/** What the pure ones take from outside: they read bytes and trees, and ask the machine for nothing. */
const ENGINE_PURE_MODULES = [
  'ajv',
  'croner',
  'css-select',
  'diff',
  'domhandler',
  'encoding-sniffer',
  'pngjs',
  'fflate',
  'fontoxpath',
  'ipaddr.js',
  'jpeg-js',
  'json-p3',
  'liquidjs',
  'mammoth',
  'otpauth',
  'parse5',
  'parse5-htmlparser2-tree-adapter',
  'pixelmatch',
  're2js',
  'read-excel-file',
  'saxes',
  'tldts',
  'unpdf',
  'yaml',
];
/** Pure files that take one thing from the platform which asks the machine for nothing. */
const ENGINE_PURE_FROM_NODE: Readonly<Record<string, string>> = {
  'packages/engine/src/diff/picture/decode.ts': 'node:buffer',
  'packages/engine/src/sha256.ts': 'node:crypto',
  'packages/engine/src/delivery/signature.ts': 'node:crypto',
  'packages/engine/src/late-packages.ts': 'node:module',
};
/** Imports a module whose name it computes, because that may not be installed. */
const COMPUTES_IMPORT = 'packages/daemon/src/files/parquet.ts';
const CIRCLE_FOLDERS = ['packages', 'scripts', 'tests', 'bench'];
const GROUPED = /^packages\/(daemon|cloud)\/src\/([^/]+)\/(.+)$/;

export interface ImportReport {
  readonly filesSeen: number;
  /** One sentence each: the file, what it imports, the rule; or the way of a circle. */
  readonly problems: readonly string[];
}

/** Every import below `root`/packages that goes a way it must not go, and every circle of imports in the workspace. */
export function checkImports(root: string): ImportReport {
  const all = CIRCLE_FOLDERS.flatMap((folder) => listFiles(root, folder, ['.ts', '.tsx'])).map((path) => readModule(root, path));
  const modules = all.filter(({ path }) => path.startsWith('packages/'));
  const groups = new Set(modules.map((module) => /^(.+)\/handlers\.ts$/.exec(module.path)?.[1]).filter((folder) => folder !== undefined));
  const problems = modules.flatMap((module) =>
    module.imports.flatMap(({ specifier, typeOnly }) =>
      [
        packageProblem(module, specifier, typeOnly),
        relativeProblem(module, specifier),
        purityProblem(module, specifier),
        groupProblem(module, specifier, groups),
      ]
        .filter((rule) => rule !== undefined)
        .map((rule) => `${module.path} imports ${specifier}: ${rule}`),
    ),
  );
  const unread = modules
    .filter((module) => module.computesImport && !module.isTest && module.path !== COMPUTES_IMPORT)
    .map((module) => `${module.path} computes what it imports: name the module in one string, so that it is seen`);
  const circles = findCircles(all, (path) => (isSource(root, path) ? readModule(root, path) : undefined));
  const ways = circles.map((way) => `${way.join(' imports ')}: a circle`);
  // A name that is imported and passed on is two edges to the parser and one fault to the reader.
  return { filesSeen: modules.length, problems: [...new Set([...problems, ...unread, ...ways])] };
}

function isSource(root: string, path: string): boolean {
  return /\.(ts|tsx|mjs)$/.test(path) && existsSync(join(root, path));
}

function packageProblem(module: Module, specifier: string, typeOnly: boolean): string | undefined {
  if (specifier.startsWith('.')) return undefined;
  const own = packageOf(module.path);
  const rule = PACKAGES[own];
  if (!rule) return `packages/${own} has no line in the table of directions`;
  const other = /^@weft\/([^/]+)/.exec(specifier)?.[1];
  if (other === undefined) {
    if (rule.outside === undefined || module.isTest || rule.outside.some((name) => isModule(specifier, name))) return undefined;
    return `${own} may import nothing from outside but ${rule.outside.join(', ')}`;
  }
  if (other === own) return 'inside a package use relative paths';
  if (!rule.weft.includes(other)) return `${own} may not import ${other}`;
  if (rule.typesOnly?.includes(other) && !typeOnly && !module.isTest) return `${own} may take only types from ${other}`;
  return undefined;
}

/** Tests may use the local sites and other shared parts of `tests`. */
function relativeProblem(module: Module, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = targetOf(module, specifier);
  const isAllowed = target.startsWith(`packages/${packageOf(module.path)}/`) || (module.isTest && target.startsWith('tests/'));
  return isAllowed ? undefined : 'a relative path may not leave its package';
}

function purityProblem(module: Module, specifier: string): string | undefined {
  if (packageOf(module.path) !== 'engine' || ENGINE_OUTSIDE.test(module.path)) return undefined;
  if (specifier.startsWith('.')) {
    return ENGINE_OUTSIDE.test(targetOf(module, specifier)) ? 'a pure engine folder may not import io/' : undefined;
  }
  // What it may take from the workspace is the package's rule.
  if (ENGINE_PURE_FROM_NODE[module.path] === specifier) return undefined;
  if (module.isTest || specifier.startsWith('@weft/') || ENGINE_PURE_MODULES.some((name) => isModule(specifier, name))) return undefined;
  return `a pure engine folder may import nothing from outside but ${ENGINE_PURE_MODULES.join(', ')}`;
}

/**
 * Inside a group handlers -> noun -> store, one step at a time, and its group.ts wires them; from another folder only the noun; the
 * files at the top of `src` wire all of it together. A group is a folder with handlers.ts.
 */
function groupProblem(module: Module, specifier: string, groups: ReadonlySet<string>): string | undefined {
  if (!specifier.startsWith('.') || module.isTest) return undefined;
  const target = targetOf(module, specifier);
  const toFolder = groupFolder(target, groups);
  if (toFolder === undefined) return undefined;
  const to = layerOf(target);
  const fromFolder = groupFolder(module.path, groups);
  if (fromFolder === toFolder) {
    if (posix.basename(module.path) === 'group.ts') return undefined;
    const from = layerOf(module.path);
    const allowed = from === to || (from === 'handlers' && to === 'noun') || (from === 'noun' && to === 'store');
    return allowed ? undefined : `inside a group ${from} may not import ${to}`;
  }
  const isWiring = posix.basename(posix.dirname(module.path)) === 'src';
  return to === 'noun' || isWiring ? undefined : `from outside, a group is entered through its noun file, not its ${to}`;
}

function groupFolder(path: string, groups: ReadonlySet<string>): string | undefined {
  const match = GROUPED.exec(path);
  if (!match) return undefined;
  const folder = `packages/${match[1]}/src/${match[2]}`;
  return groups.has(folder) ? folder : undefined;
}

function layerOf(path: string): 'handlers' | 'noun' | 'store' {
  const name = posix.basename(path);
  if (/^handlers\b/.test(name)) return 'handlers';
  return /(^|-)store\b/.test(name) ? 'store' : 'noun';
}

function packageOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function targetOf(module: Module, specifier: string): string {
  return posix.join(posix.dirname(module.path), specifier);
}

function isModule(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(`${name}/`);
}

if (import.meta.main) {
  const { filesSeen, problems } = checkImports(resolve(process.argv[2] ?? '.'));
  for (const problem of problems) console.error(problem);
  console.log(`${filesSeen} modules, ${problems.length} imports in a forbidden direction or a circle`);
  if (problems.length > 0 || filesSeen === 0) process.exitCode = 1;
}
