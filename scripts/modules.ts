// Reads the workspace's modules: where they are, what they import, what they export.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix, join } from 'node:path';

export interface ModuleImport {
  /** As written: `./tree.ts`, `@weft/contract`, `node:fs`. */
  readonly specifier: string;
  /** True when nothing of it is left once types are stripped. */
  readonly typeOnly: boolean;
}

export interface ModuleExport {
  /** The exported name; undefined for `export *`. */
  readonly name: string | undefined;
  /** The name in the module that declares it. */
  readonly localName: string | undefined;
  /** The module it is passed on from; undefined when declared here. */
  readonly from: string | undefined;
}

export interface Module {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly isTest: boolean;
  /** `import()` among them, of values and of types. */
  readonly imports: readonly ModuleImport[];
  /** True where an `import()` is given anything but a plain string. */
  readonly computesImport: boolean;
  readonly exports: readonly ModuleExport[];
  /** Names of declarations that a `/** ... *\/` comment stands before. */
  readonly documented: ReadonlySet<string>;
}

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'generated', '.git']);

/** Files below `folder` whose name ends in one of `endings`, relative to `root` with forward slashes, sorted; none if the folder is absent. */
export function listFiles(root: string, folder: string, endings: readonly string[]): string[] {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : listFiles(root, path, endings);
      return endings.some((ending) => entry.name.endsWith(ending)) ? [path] : [];
    });
}

/** README.md, CONTRIBUTING.md and what is below docs/, relative to `root`; without those that are absent. */
export function listDocuments(root: string): string[] {
  return [...['README.md', 'CONTRIBUTING.md'].filter((path) => existsSync(join(root, path))), ...listFiles(root, 'docs', ['.md'])];
}

/** Where the comments of `text`, the source at `path`, begin and end, in order. */
export function readComments(path: string, text: string): { readonly start: number; readonly end: number }[] {
  return [...parseSync(path, text).comments];
}

/** The module at `path` below `root`. Throws where the file does not parse. */
export function readModule(root: string, path: string): Module {
  const text = readFileSync(join(root, path), 'utf8');
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) throw new Error(`${path} does not parse: ${parsed.errors[0]?.message}`);
  return {
    path,
    isTest: /\.test\.tsx?$/.test(path),
    imports: importsOf(text, parsed),
    computesImport: parsed.module.dynamicImports.some(({ moduleRequest }) => !/^['"]/.test(text.slice(moduleRequest.start))),
    exports: parsed.module.staticExports.flatMap((statement) => statement.entries.map(exportOf)),
    documented: documentedNames(text, parsed.comments),
  };
}

/** Every text that the module at `path` below `root` writes down, in its order; what a template fills in is `…`. */
export function readTexts(root: string, path: string): string[] {
  return textsIn(parseSync(path, readFileSync(join(root, path), 'utf8')).program);
}

function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, value, quasis } = node as { type?: string; value?: unknown; quasis?: readonly { value: { cooked: string } }[] };
  const own = type === 'TemplateLiteral' && quasis ? quasis.map((part) => part.value.cooked).join('…') : value;
  const isText = (type === 'TemplateLiteral' || type === 'Literal') && typeof own === 'string';
  return [...(isText ? [own] : []), ...Object.values(node).flatMap(textsIn)];
}

function importsOf(text: string, parsed: ParseResult): ModuleImport[] {
  const imports: ModuleImport[] = parsed.module.staticImports.map((statement) => ({
    specifier: statement.moduleRequest.value,
    typeOnly: statement.entries.length > 0 && statement.entries.every((entry) => entry.isType),
  }));
  for (const entry of parsed.module.staticExports.flatMap((statement) => statement.entries)) {
    if (entry.moduleRequest) imports.push({ specifier: entry.moduleRequest.value, typeOnly: entry.isType });
  }
  const dynamic = new Set(parsed.module.dynamicImports.map((call) => call.start));
  for (const match of text.matchAll(/\bimport\(\s*(['"])([^'"]+)\1/g)) {
    const isComment = parsed.comments.some((comment) => comment.start <= match.index && match.index < comment.end);
    if (!isComment) imports.push({ specifier: match[2] ?? '', typeOnly: !dynamic.has(match.index) });
  }
  return imports;
}

function exportOf(entry: ExportEntry): ModuleExport {
  return {
    name: entry.exportName.name ?? undefined,
    localName: entry.localName.name ?? entry.importName.name ?? undefined,
    from: entry.moduleRequest?.value,
  };
}

const DECLARATION =
  /^\s*(?:export\s+)?(?:declare\s+|abstract\s+|async\s+)*(?:function\*?|class|const|let|interface|type)\s+([\p{ID_Start}_$][\p{ID_Continue}$]*)/u;

function documentedNames(text: string, comments: ParseResult['comments']): Set<string> {
  const names = comments
    .filter((comment) => comment.type === 'Block' && comment.value.startsWith('*'))
    .map((comment) => DECLARATION.exec(text.slice(comment.end))?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}

/** The part of oxc-parser's answer that is read here. */
interface ParseResult {
  readonly program: unknown;
  readonly module: {
    readonly staticImports: readonly {
      readonly moduleRequest: { readonly value: string };
      readonly entries: readonly { isType: boolean }[];
    }[];
    readonly staticExports: readonly { readonly entries: readonly ExportEntry[] }[];
    readonly dynamicImports: readonly { readonly start: number; readonly moduleRequest: { readonly start: number } }[];
  };
  readonly comments: readonly { readonly type: string; readonly value: string; readonly start: number; readonly end: number }[];
  readonly errors: readonly { readonly message: string }[];
}

interface ExportEntry {
  readonly isType: boolean;
  readonly moduleRequest: { readonly value: string } | null;
  readonly exportName: { readonly name: string | null };
  readonly localName: { readonly name: string | null };
  readonly importName: { readonly name: string | null };
}

/** oxc's parser, in the version that knip brings: one parser for both, and no dependency of our own. */
const { parseSync } = requireParser();

function requireParser(): { parseSync(path: string, text: string): ParseResult } {
  const beside = createRequire(import.meta.url);
  return createRequire(beside.resolve('knip'))('oxc-parser');
}
