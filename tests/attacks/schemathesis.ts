// schemathesis of PyPI against a document that a server serves, in a virtual environment of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bringPackages } from '../../bench/apps/packages.ts';
import { endingWithUs } from '../../bench/apps/programs.ts';
import { SETTINGS } from '../../bench/src/settings.ts';

const VERSION = '4.32.5';
/** A call waits for a page at most so long; one that takes longer is an error of its own. */
const REQUEST_SECONDS = 60;
/**
 * What it does with a document, one run after the other. It makes up cases from the schemas by their own members, which takes it the longer the
 * deeper they are: for a body with lists in lists more than half an hour, in which it asks for nothing. So that has a time, which it divides
 * among operations; the examples are counted.
 */
const PASSES = [
  ['--phases', 'coverage', '--max-time', '180'],
  ['--phases', 'examples,fuzzing,stateful'],
] as const;
const RUN_MINUTES_MAX = 60;

/** A failure that stays, and why. */
export interface NamedFailure {
  /** The class of the failure, as schemathesis calls it. */
  readonly failure: string;
  /** `GET /v1/runs/{id}`, as the document writes them. */
  readonly operations: readonly string[] | 'any';
  /** A regular expression that finds the case in the failure's message or in the answer. */
  readonly says: string;
  readonly reason: string;
}

export interface SchemathesisOptions {
  /** Where the document is served. */
  readonly url: string;
  /** A file with the token, or with JSON of one for each security scheme of the document. */
  readonly tokenFile: string;
  /** Examples for each operation. */
  readonly examples: number;
  readonly seed: number;
  readonly named: readonly NamedFailure[];
  /** A folder for what it writes. */
  readonly scratch: string;
}

export interface SchemathesisEnd {
  /** 0 where nothing failed but what is named. */
  readonly code: number | null;
  /** All that it printed. */
  readonly output: string;
  /** How often each of `named` was met, in their order. */
  readonly dropped: readonly number[];
  /** What it took, rounded. */
  readonly seconds: number;
}

/** Installs schemathesis on first use and answers its program. Throws with a sentence that says what is lacking. */
export async function bringSchemathesis(): Promise<string> {
  const folder = join(SETTINGS.appsFolder, 'schemathesis');
  mkdirSync(folder, { recursive: true });
  await bringPackages({ pip: [`schemathesis==${VERSION}`] }, SETTINGS.appsFolder, folder);
  return join(folder, 'python', 'bin', 'st');
}

/** Runs `program` with all of its checks, pass after pass, and waits for their ends. */
export async function runSchemathesis(program: string, options: SchemathesisOptions): Promise<readonly SchemathesisEnd[]> {
  const ends: SchemathesisEnd[] = [];
  for (const pass of PASSES) ends.push(await runPass(program, pass, options));
  return ends;
}

async function runPass(program: string, pass: readonly string[], options: SchemathesisOptions): Promise<SchemathesisEnd> {
  const { url, tokenFile, examples, seed, named, scratch } = options;
  const namedFile = join(scratch, 'named.json');
  const droppedFile = join(scratch, 'dropped');
  const outputFile = join(scratch, 'output');
  writeFileSync(namedFile, JSON.stringify(named));
  writeFileSync(droppedFile, '');
  const args = [
    'run',
    url,
    ...pass,
    '--checks',
    'all',
    '--continue-on-failure',
    '--max-examples',
    String(examples),
    '--seed',
    String(seed),
  ];
  args.push('--request-timeout', String(REQUEST_SECONDS), '--max-response-time', String(REQUEST_SECONDS), '--suppress-health-check', 'all');
  args.push('--generation-database', 'none', '--warnings', 'off', '--output-truncate', 'false', '--no-color');
  const env = {
    PATH: process.env['PATH'],
    HOME: scratch,
    SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'schemathesis_hooks.py'),
    WEFT_NAMED: namedFile,
    WEFT_DROPPED: droppedFile,
    WEFT_TOKEN_FILE: tokenFile,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const log = openSync(outputFile, 'w');
  const [file, rest] = endingWithUs(program, args);
  const child = spawn(file, rest, { cwd: scratch, env, stdio: ['ignore', log, log], timeout: RUN_MINUTES_MAX * 60_000 });
  closeSync(log);
  const beganMs = performance.now();
  const [code] = (await once(child, 'close')) as [number | null];
  const places = readFileSync(droppedFile, 'utf8').split('\n').filter(Boolean).map(Number);
  return {
    code,
    output: readFileSync(outputFile, 'utf8'),
    dropped: named.map((_, place) => places.filter((each) => each === place).length),
    seconds: Math.round((performance.now() - beganMs) / 1000),
  };
}
