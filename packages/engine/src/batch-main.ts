// A program of its own for saved pages, robots files and Markdown: NDJSON jobs in, NDJSON results out, in order. The command line starts it.
import { createInterface } from 'node:readline';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { PageError } from './errors.ts';
import { chunkMarkdown, truncateMarkdown } from './extract/markdown/chunk.ts';
import { createViewPool } from './io/views/pool.ts';
import type { ViewPool } from './io/views/pool.ts';
import type { ParseView } from './page/parse.ts';
import { PARSE_VIEWS } from './page/parse.ts';
import { decideRobotsJob } from './robots/decide.ts';

/** Jobs that are read ahead of the one whose result is written next. */
const AHEAD = 8;
const PAGE_BYTES_MAX = 100_000_000;
/** Kinds of documents whose bytes alone do not tell them from a page of HTML. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  md: 'text/markdown',
  txt: 'text/plain',
  xml: 'application/xml',
};

const [mode] = process.argv.slice(2);
if (mode === 'parse') await runParse();
else if (mode === 'robots') await runLines(decideRobotsLine);
else if (mode === 'markdown') await runLines(cutMarkdownLine);
else {
  process.stderr.write('usage: batch-main.ts parse|robots|markdown < jobs.ndjson\n');
  process.exitCode = 2;
}

async function runLines(answer: (job: Readonly<Record<string, unknown>>) => object): Promise<void> {
  for await (const line of lines()) write(answerLine(line, answer));
}

function answerLine(line: string, answer: (job: Readonly<Record<string, unknown>>) => object): object {
  try {
    return answer(readObject(line));
  } catch (error) {
    return { error: describe(error) };
  }
}

function decideRobotsLine(job: Readonly<Record<string, unknown>>): object {
  return decideRobotsJob({ robots: requireText(job, 'robots'), agent: requireText(job, 'agent'), url: requireText(job, 'url') });
}

/** Markdown cut to `tokens_max`, with what that left out, or in pieces of that size with `chunks`. */
function cutMarkdownLine(job: Readonly<Record<string, unknown>>): object {
  const markdown = requireText(job, 'markdown');
  const tokensMax = Number(job['tokens_max']);
  if (job['chunks'] === true) return { chunks: chunkMarkdown(markdown, { tokensMax }) };
  const { text, tokensLeftOut } = truncateMarkdown(markdown, tokensMax);
  return { markdown: text, ...(tokensLeftOut === 0 ? {} : { tokens_left_out: tokensLeftOut }) };
}

async function runParse(): Promise<void> {
  const pool = createViewPool({ patienceMs: 0 });
  const signal = new AbortController().signal;
  const inFlight: Promise<object>[] = [];
  for await (const line of lines()) {
    inFlight.push(parseLine(line, pool, signal));
    if (inFlight.length >= AHEAD) write((await inFlight.shift()) as object);
  }
  for (const result of inFlight) write(await result);
  await pool.close();
}

async function parseLine(line: string, pool: ViewPool, signal: AbortSignal): Promise<object> {
  let path: unknown;
  try {
    const job = readObject(line);
    path = job['path'];
    const source = { url: requireUrl(job), body: await readPage(requireText(job, 'path')), contentType: typeOf(job) };
    const request = { source, want: readWant(job), includeHidden: job['include_hidden'] === true };
    const { result, cpuMs } = await pool.run('parse', request, signal);
    return { path, ...result, cpu_ms: Math.round(cpuMs * 1000) / 1000 };
  } catch (error) {
    return { ...(typeof path === 'string' ? { path } : {}), error: describe(error) };
  }
}

/** What the job says; else the name of its file tells documents from pages. */
function typeOf(job: Readonly<Record<string, unknown>>): string {
  if (job['content_type'] !== undefined) return requireText(job, 'content_type');
  const suffix = /\.(\w+)(?:\.gz)?$/.exec(requireText(job, 'path'))?.[1]?.toLowerCase() ?? '';
  const encoding = job['encoding'] === undefined ? '' : `; charset=${requireText(job, 'encoding')}`;
  return `${TYPES[suffix] ?? 'text/html'}${encoding}`;
}

/** A saved page; one that an archive keeps gzipped is unpacked, up to PAGE_BYTES_MAX. */
async function readPage(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: PAGE_BYTES_MAX }) : bytes;
}

function readWant(job: Readonly<Record<string, unknown>>): readonly ParseView[] {
  const want = job['want'];
  if (want === undefined) return PARSE_VIEWS;
  if (Array.isArray(want) && want.every((view): view is ParseView => (PARSE_VIEWS as readonly unknown[]).includes(view))) return want;
  throw new PageError('page_unreadable', `"want" must be a list drawn from ${PARSE_VIEWS.join(', ')}.`);
}

function requireUrl(job: Readonly<Record<string, unknown>>): string {
  const text = requireText(job, 'url');
  const url = URL.parse(text);
  if (!url) throw new PageError('page_unreadable', `"url" is not an absolute URL: ${text.slice(0, 200)}`);
  return url.href;
}

function requireText(job: Readonly<Record<string, unknown>>, name: string): string {
  const value = job[name];
  if (typeof value !== 'string') throw new PageError('page_unreadable', `"${name}" must be a string.`);
  return value;
}

function readObject(line: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PageError('page_unreadable', 'Each line must be a JSON object.');
  return value as Record<string, unknown>;
}

function describe(error: unknown): object {
  if (error instanceof PageError) return { code: error.code, message: error.message };
  return { code: 'input', message: (error as Error).message };
}

async function* lines(): AsyncGenerator<string> {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line.trim() !== '') yield line;
}

function write(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
