// Five jobs of the first hour by Weft, wget2, trafilatura and Scrapy: what has to be typed, how long it takes, and what comes of it.
//
// A manual and a page that scripts fill are real applications; shop, notes and papers are a site of ours, since none of the
// applications sells or prints. Each program works in a folder of its own; Weft's agent runs already, as it does after its first
// command. Letters typed are those of the command line and of the program that it runs, without the day before.
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APPS } from '../../apps/apps.ts';
import { bringPackages } from '../../apps/packages.ts';
import { type Running, installApp, startApp, takeHome, truthOf } from '../../apps/runner.ts';
import { startAgentUnderTest } from '../agent-under-test.ts';
import { startJobSite } from '../jobs/job-site.ts';
import { type Job, type Tool, type Way, jobsOf } from '../jobs/jobs.ts';
import { scratchFolder } from '../processes.ts';
import type { BenchRow } from '../row.ts';
import { SETTINGS } from '../settings.ts';

export const isSlow = true;

const RIVALS: readonly Tool[] = ['wget2', 'trafilatura', 'scrapy'];
const NEEDS = { apt: ['wget2', 'poppler-utils'], pip: ['trafilatura==2.3.1', 'lxml_html_clean==0.4.6', 'Scrapy==2.19.0'] };
const COMMAND = join(import.meta.dirname, '../../../weft');
/** A command that does not come to its end is ended. */
const LINE_MS = 300_000;

/** What one program made of one job. */
interface Outcome {
  readonly letters: number;
  readonly seconds: number;
  readonly rows: number;
}

export async function bench(): Promise<BenchRow[]> {
  using _home = takeHome(SETTINGS.appsFolder);
  const rivals = join(SETTINGS.appsFolder, 'jobs');
  if (SETTINGS.hasRivals) await bringPackages(NEEDS, SETTINGS.appsFolder, rivals);
  await using site = await startJobSite();
  const manual = await startNamed('doxygen');
  const client = await startNamed('vue-history');
  try {
    using agent = await startAgentUnderTest();
    using scratch = scratchFolder();
    const path = `${binOf(scratch.path)}:${join(rivals, 'python/bin')}:${process.env['PATH'] ?? ''}`;
    const env = { ...process.env, ...agent.variables, PATH: path };
    const pages = (await truthOf(manual, SETTINGS.appsFolder)).length;
    const jobs = jobsOf({
      site: site.origin,
      manual: { url: `${manual.origin}${manual.app.entry ?? '/index.html'}`, pages },
      // Its scripts fetch all plants at once, and the page shows eight at a time.
      client: { url: `${client.origin}/plants`, rows: 24 },
    });
    const work = new Workshop(join(scratch.path, 'work'), env);
    for (const job of jobs) await work.each(job, 'yesterday');
    site.wakeUp();
    const rows: BenchRow[] = [];
    for (const job of jobs) rows.push(...rowsOf(job, await work.each(job, 'line')));
    return rows;
  } finally {
    await Promise.all([manual.stop(), client.stop()]);
  }
}

async function startNamed(name: string): Promise<Running> {
  const app = APPS.find((one) => one.name === name);
  if (!app) throw new Error(`There is no application ${name}.`);
  await installApp(app, SETTINGS.appsFolder);
  return await startApp(app, SETTINGS.appsFolder);
}

/** A folder in which `weft` is this checkout's command. */
function binOf(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(COMMAND, join(bin, 'weft'));
  return bin;
}

/** Folders, one for each job and program, in which lines are typed. */
class Workshop {
  private readonly root: string;
  private readonly env: Readonly<Record<string, string | undefined>>;

  constructor(root: string, env: Readonly<Record<string, string | undefined>>) {
    this.root = root;
    this.env = env;
  }

  /** Types the line of each program that has one. */
  async each(job: Job, which: 'line' | 'yesterday'): Promise<ReadonlyMap<Tool, Outcome>> {
    const outcomes = new Map<Tool, Outcome>();
    for (const tool of ['weft', ...(SETTINGS.hasRivals ? RIVALS : [])] as const) {
      const way = job.ways[tool];
      if (typeof way !== 'string' && way[which] !== undefined) outcomes.set(tool, await this.type(way, way[which], `${tool} ${job.name}`));
    }
    return outcomes;
  }

  private async type(way: Way, line: string, name: string): Promise<Outcome> {
    const folder = join(this.root, name.replaceAll(/[^a-z0-9]+/gi, '-'));
    mkdirSync(folder, { recursive: true });
    if (way.program) writeFileSync(join(folder, way.program.name), way.program.text);
    const beganMs = performance.now();
    const child = spawn('sh', ['-c', line], { cwd: folder, env: this.env, stdio: ['ignore', 'ignore', 'ignore'], timeout: LINE_MS });
    await new Promise<void>((resolve, reject) => child.once('error', reject).once('close', () => resolve()));
    const seconds = (performance.now() - beganMs) / 1000;
    return { letters: line.length + 1 + (way.program?.text.length ?? 0), seconds, rows: way.rows(folder) };
  }
}

/** What no program does is said, and no row stands for it. */
function rowsOf(job: Job, outcomes: ReadonlyMap<Tool, Outcome>): readonly BenchRow[] {
  const own = outcomes.get('weft');
  if (!own) throw new Error(`${job.name}: there is no way by Weft.`);
  for (const tool of RIVALS) if (typeof job.ways[tool] === 'string') console.log(`${job.name}: ${tool} ${job.ways[tool]}.`);
  const rivals = [...outcomes].filter(([tool]) => tool !== 'weft');
  const row = (what: string, unit: string, of: (outcome: Outcome) => number, target: string): BenchRow[] =>
    rivals.length === 0
      ? [{ name: `${job.name}: ${what}`, value: of(own), unit, target }]
      : rivals.map(([rival, theirs]) => ({ name: `${job.name}: ${what}`, value: of(own), unit, rival, rivalValue: of(theirs), target }));
  return [
    ...row(`of ${job.truth}`, 'rows', ({ rows }) => rows, `${job.truth}`),
    ...row('typed', 'letters', ({ letters }) => letters, '<= 1x'),
    ...row('takes', 's', ({ seconds }) => seconds, ''),
  ];
}
