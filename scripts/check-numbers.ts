// Holds numbered decisions and cases to the documents that explain them: whoever meets "D12" or "F28" finds what it says.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listDocuments, listFiles, readComments } from './modules.ts';

export interface NumbersReport {
  readonly explained: number;
  readonly cited: number;
  /** One sentence each: the place, the number, what is wrong. */
  readonly problems: readonly string[];
}

/** Which document explains a letter: in rows of tables that begin with the number. */
const EXPLAINED_IN = new Map([
  ['A', 'docs/numbered-cases.md'],
  ['D', 'docs/decisions/0011-numbered-decisions.md'],
  ['F', 'docs/numbered-cases.md'],
  ['R', 'docs/numbered-cases.md'],
  ['S', 'docs/numbered-cases.md'],
  ['T', 'docs/numbered-cases.md'],
]);
const FOLDERS = ['packages', 'scripts', 'tests', 'bench', 'tools'];

/** A letter and one or two digits on their own: no part of a word, an escape (`%D1`), an address (`#A1`) or an amount (`R1,299`). */
const NUMBER = /(?<![\w%&=/.#])[ADFRST][1-9]\d?(?![\w=/]|[.,]\d)/g;
/** In the code of a test only its name cites, at the beginning or in parentheses: "F36, S11 a circle", "log (F79)". */
const IN_NAME = /(?:['"`]|\w \()(?:[ADFRST][1-9]\d?(?:, |-))*[ADFRST][1-9]\d?(?=[ )])/g;
const ROW = /^\| ([ADFRST][1-9]\d?) +\| *([^|]*)/;

interface Citation {
  /** `path:line`. */
  readonly place: string;
  readonly number: string;
}

interface Row extends Citation {
  readonly says: string;
}

/**
 * Every number that the comments, the names of tests and the documents below `root` cite and none explains, and every row that explains one
 * a second time, in the wrong document, or with nothing.
 */
export function checkNumbers(root: string): NumbersReport {
  const rows = [...new Set(EXPLAINED_IN.values())].filter((path) => existsSync(join(root, path))).flatMap((path) => rowsOf(root, path));
  const explained = new Set(rows.map(({ number }) => number));
  const documents = listDocuments(root).flatMap((path) => citedInDocument(path, readFileSync(join(root, path), 'utf8')));
  const code = FOLDERS.flatMap((folder) => listFiles(root, folder, ['.ts', '.tsx', '.mjs']));
  const cited = [...documents, ...code.flatMap((path) => citedInCode(path, readFileSync(join(root, path), 'utf8')))];
  const unexplained = cited.filter(({ number }) => !explained.has(number));
  return {
    explained: explained.size,
    cited: cited.length,
    problems: [
      ...rows.flatMap((row, index) => rowProblem(row, rows.slice(0, index)) ?? []),
      ...unexplained.map(({ place, number }) => `${place} cites ${number}, which ${documentOf(number)} does not explain`),
    ],
  };
}

function rowProblem({ place, number, says }: Row, before: readonly Row[]): string | undefined {
  if (!place.startsWith(`${documentOf(number)}:`)) return `${place} explains ${number}, which belongs in ${documentOf(number)}`;
  if (says.trim() === '') return `${place} says nothing of ${number}`;
  return before.some((row) => row.number === number) ? `${place} explains ${number} a second time` : undefined;
}

function documentOf(number: string): string | undefined {
  return EXPLAINED_IN.get(number.charAt(0));
}

function rowsOf(root: string, path: string): Row[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const [, number, says = ''] = ROW.exec(line) ?? [];
    return number === undefined ? [] : [{ place: `${path}:${index + 1}`, number, says }];
  });
}

/** What a document says outside of code. */
function citedInDocument(path: string, text: string): Citation[] {
  return citedIn(path, text.replaceAll(/^```[^]*?^```|`[^`\n]*`/gm, blank), NUMBER);
}

function citedInCode(path: string, text: string): Citation[] {
  let comments = '';
  let code = '';
  let from = 0;
  for (const { start, end } of readComments(path, text)) {
    comments += blank(text.slice(from, start)) + text.slice(start, end);
    code += text.slice(from, start) + blank(text.slice(start, end));
    from = end;
  }
  const isTest = path.startsWith('tests/') || /\.test\.tsx?$/.test(path);
  return [...citedIn(path, comments, NUMBER), ...(isTest ? citedIn(path, code + text.slice(from), IN_NAME) : [])];
}

function citedIn(path: string, text: string, pattern: RegExp): Citation[] {
  return text.split('\n').flatMap((line, index) => {
    const numbers = [...line.matchAll(pattern)].flatMap(([match]) => match.match(NUMBER) ?? []);
    return numbers.map((number) => ({ place: `${path}:${index + 1}`, number }));
  });
}

/** As many lines, without their words. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

if (import.meta.main) {
  const { explained, cited, problems } = checkNumbers(resolve(process.argv[2] ?? '.'));
  for (const problem of problems) console.error(problem);
  console.log(`${explained} numbers explained, ${cited} citations, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}
