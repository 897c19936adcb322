// Holds the documents to the repository: every path and command that they cite exists.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { listDocuments } from './modules.ts';

export interface DocsReport {
  readonly documentsSeen: number;
  readonly citationsSeen: number;
  /** One sentence each: document and line, the citation, what is missing. */
  readonly problems: readonly string[];
}

interface Citation {
  readonly document: string;
  readonly line: number;
  readonly text: string;
  /** `link` targets are relative to the document; `code` is a span or a line of a shell block. */
  readonly kind: 'code' | 'link';
}

interface Finding {
  /** How many paths and commands were recognised and looked up. */
  readonly seen: number;
  readonly problems: readonly string[];
}

const SHELL_BLOCK = /^(|sh|bash|shell|console|text)$/;
/** A token of these shapes is taken for a path of the repository. */
const TOP_FOLDER = /^(\.ci|bench|clients|docs|packages|scripts|tests|tools)\//;
const SOURCE_PATH = /^[\w.-][^\s:]*\/[^\s/]*\.(ts|tsx|mjs|md|json|tsv|sql|sh|py|go|rs)$/;
const NPM_OWN_COMMANDS = new Set(['install', 'ci', 'exec', 'pack', 'publish', 'ls', 'outdated', 'view', 'update', 'link', 'run']);
/** Scripts whose first word names a file. */
const NAMED_SCRIPTS: Readonly<Record<string, string>> = { campaign: 'tests/campaigns', bench: 'bench/src/suites' };

/** Every citation of README.md, CONTRIBUTING.md and docs/ below `root` that leads nowhere. */
export function checkDocs(root: string): DocsReport {
  const documents = listDocuments(root);
  const scripts = scriptNames(root);
  const citations = documents.flatMap((path) => citationsOf(path, readFileSync(join(root, path), 'utf8')));
  const findings = citations.map((citation) => ({ citation, ...lookUp(root, scripts, citation) }));
  return {
    documentsSeen: documents.length,
    citationsSeen: findings.reduce((sum, finding) => sum + finding.seen, 0),
    problems: findings.flatMap(({ citation, problems }) => problems.map((problem) => `${citation.document}:${citation.line} ${problem}`)),
  };
}

function scriptNames(root: string): ReadonlySet<string> {
  const manifest: { scripts?: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return new Set(Object.keys(manifest.scripts ?? {}));
}

/** Code spans and links of the prose, and the lines of the blocks that a reader types. */
function citationsOf(document: string, text: string): Citation[] {
  let block: string | undefined;
  return text.split('\n').flatMap((content, index): Citation[] => {
    const fence = /^\s*(?:```|~~~)\s*(\w*)/.exec(content);
    if (fence) {
      block = block === undefined ? (fence[1] ?? '') : undefined;
      return [];
    }
    const line = index + 1;
    if (block !== undefined) return SHELL_BLOCK.test(block) ? [{ document, line, text: withoutComment(content), kind: 'code' }] : [];
    const spans = [...content.matchAll(/(`+)(.+?)\1/g)].map((match): Citation => ({ document, line, text: match[2] ?? '', kind: 'code' }));
    const links = [...content.matchAll(/\]\(([^)\s]+)\)/g)].map((match): Citation => ({
      document,
      line,
      text: match[1] ?? '',
      kind: 'link',
    }));
    return [...spans, ...links];
  });
}

function withoutComment(line: string): string {
  return line.replace(/(^|\s)#\s.*$/, '').replace(/^\s*\$\s+/, '');
}

function lookUp(root: string, scripts: ReadonlySet<string>, citation: Citation): Finding {
  const folder = posix.dirname(citation.document);
  if (citation.kind === 'link') return lookUpLink(root, folder, citation.text);
  const paths = citation.text
    .split(/\s+/)
    .map((token) => token.replace(/^["'(]+|["'),;.]+$/g, '').replace(/(:\d+)+$/, ''))
    .filter((token) => TOP_FOLDER.test(token) || SOURCE_PATH.test(token));
  const missing = paths.filter((path) => !pathExists(root, path) && !pathExists(root, posix.join(folder, path)));
  const commands = commandProblems(root, scripts, citation.text);
  return {
    seen: paths.length + commands.seen,
    problems: [...missing.map((path) => `cites ${path}, which does not exist`), ...commands.problems],
  };
}

function lookUpLink(root: string, folder: string, target: string): Finding {
  const path = target.replace(/#.*$/, '');
  if (path === '' || /^[a-z]+:/i.test(path)) return { seen: 0, problems: [] };
  const exists = existsSync(join(root, folder, decodeURI(path)));
  return { seen: 1, problems: exists ? [] : [`links to ${target}, which does not exist`] };
}

/** A path may hold `<placeholder>`, `*` or `{a,b}`; it then has to match something. */
function pathExists(root: string, path: string): boolean {
  if (!/[<*{]/.test(path)) return existsSync(join(root, path));
  return globSync(path.replaceAll(/<[^>]+>/g, '*'), { cwd: root }).length > 0;
}

function commandProblems(root: string, scripts: ReadonlySet<string>, text: string): Finding {
  const problems: string[] = [];
  let seen = 0;
  for (const match of text.matchAll(/(?:^|&&|\|\||[;|(])\s*npm\s+(?:-\S+\s+)*(run\s+)?([a-z][\w:-]*)(?:\s+--\s+([a-z][\w-]*)(?=\s|$))?/g)) {
    const [, run, name = '', first] = match;
    if (run === undefined && NPM_OWN_COMMANDS.has(name)) continue;
    seen++;
    if (!scripts.has(name)) problems.push(`cites npm ${run ?? ''}${name}, which is no script of package.json`);
    const folder = NAMED_SCRIPTS[name];
    if (folder && first && !existsSync(join(root, folder, `${first}.ts`)))
      problems.push(`cites ${name} ${first}, but ${folder} has no ${first}.ts`);
  }
  for (const match of text.matchAll(/(?:^|&&|\|\||[;|(])\s*(?:\.\/)?weft\s+([a-z][a-z-]*)/g)) {
    seen++;
    const specs = 'packages/cli/src/commands/*/spec.ts';
    const isNamed = globSync(specs, { cwd: root }).some((path) => readFileSync(join(root, path), 'utf8').includes(`name: '${match[1]}'`));
    if (!isNamed) problems.push(`cites weft ${match[1]}, which no ${specs} names`);
  }
  return { seen, problems };
}

if (import.meta.main) {
  const { documentsSeen, citationsSeen, problems } = checkDocs(resolve(process.argv[2] ?? '.'));
  for (const problem of problems) console.error(problem);
  console.log(`${documentsSeen} documents, ${citationsSeen} citations, ${problems.length} lead nowhere`);
  if (problems.length > 0) process.exitCode = 1;
}
