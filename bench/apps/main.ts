// Real applications on loopback: `npm run apps` installs and starts all, `npm run apps -- <name ...>` some, `-- install <name ...>` only installs, `-- check <name ...>` logs in where that is needed and compares, `-- list` says which there are.
import { SETTINGS } from '../src/settings.ts';
import type { Software } from './app.ts';
import { APIS } from './apis.ts';
import { APPS, SKINNED } from './apps.ts';
import { checkLogin } from './check-logins.ts';
import { LOGINS } from './logins.ts';
import { type Running, installApp, startApp, takeHome, truthOf } from './runner.ts';

/** All that can be installed and started; an application may be crawled, logged in to and made an API of. */
export const SOFTWARE: readonly Software[] = [...new Set([...APPS, ...SKINNED, ...[...LOGINS, ...APIS].map(({ software }) => software)])];

type Log = (line: string) => void;

/** Some load for seconds before they answer; more of them at once than there are cores and one wait for each other. */
const STARTED_AT_ONCE = 3;

/** What the command line asks for; the exit code of `unknown` is 2. */
export type Asked =
  | { readonly verb: 'list' }
  | { readonly verb: 'install' | 'start' | 'check'; readonly apps: readonly Software[] }
  | { readonly verb: 'unknown'; readonly names: readonly string[]; readonly all: readonly Software[] };

/** Reads the arguments after `npm run apps --`. */
export function parseAsked(args: readonly string[]): Asked {
  const [first, ...rest] = args;
  if (first === 'list' && rest.length === 0) return { verb: 'list' };
  const verb = first === 'install' || first === 'check' ? first : 'start';
  const names = verb === 'start' ? args : rest;
  const all = verb === 'check' ? LOGINS.map(({ software }) => software) : SOFTWARE;
  const unknown = names.filter((name) => !all.some((app) => app.name === name));
  if (unknown.length > 0) return { verb: 'unknown', names: unknown, all };
  return { verb, apps: names.length > 0 ? all.filter((app) => names.includes(app.name)) : all };
}

/** Does what `args` ask and says so through `log`. Answers the exit code once `stopped` says that it is time to end: 0, 1 where an application failed, 2 not understood. */
export async function runApps(args: readonly string[], home: string, stopped: Promise<void>, log: Log): Promise<number> {
  const asked = parseAsked(args);
  if (asked.verb === 'unknown') {
    log(`no application ${asked.names.join(', ')}; there are ${asked.all.map((app) => app.name).join(', ')}`);
    return 2;
  }
  if (asked.verb === 'list') {
    log(formatTable([['name', 'software', 'port'], ...SOFTWARE.map((app) => [app.name, app.software, String(app.port)])]));
    return 0;
  }
  using _home = takeHome(home);
  const running: Running<Software>[] = [];
  const work =
    asked.verb === 'install'
      ? installAll(asked.apps, home, log)
      : asked.verb === 'check'
        ? checkAll(asked.apps, home, log)
        : startAll(asked.apps, home, running, log);
  const failed = await Promise.race([work, stopped.then(() => 0)]);
  if (running.length > 0) await stopped;
  await Promise.all(running.map((each) => each.stop()));
  return failed > 0 ? 1 : 0;
}

async function installAll(apps: readonly Software[], home: string, log: Log): Promise<number> {
  return eachApp(apps, log, async (app) => {
    await installApp(app, home);
    return 'installed';
  });
}

/** Starts each, logs in to it, and ends it again. */
async function checkAll(apps: readonly Software[], home: string, log: Log): Promise<number> {
  return eachApp(apps, log, async (app) => {
    const said = await Promise.all(LOGINS.filter(({ software }) => software === app).map((login) => checkLogin(login, home)));
    return said.flat().join('; ');
  });
}

/** Adds to `running` what answers, as soon as it does. Installing is one after the other, as packages are; starting waits for no other. */
async function startAll(apps: readonly Software[], home: string, running: Running<Software>[], log: Log): Promise<number> {
  const ready: Software[] = [];
  let failed = await eachApp(apps, log, async (app) => {
    await installApp(app, home);
    ready.push(app);
    return 'installed';
  });
  for (let at = 0; at < ready.length; at += STARTED_AT_ONCE) {
    const group = ready.slice(at, at + STARTED_AT_ONCE);
    const start = async (app: Software) => {
      const started = await startApp(app, home);
      running.push(started);
      return `answers at ${started.origin}`;
    };
    failed += (await Promise.all(group.map((app, i) => tell(app, `${at + i + 1} of ${ready.length}`, log, start)))).filter(
      (ok) => !ok,
    ).length;
  }
  if (running.length > 0) await showTable(running, home, log);
  return failed;
}

/** Says what came of each, and answers how many failed. */
async function eachApp(apps: readonly Software[], log: Log, work: (app: Software) => Promise<string>): Promise<number> {
  let failed = 0;
  for (const [i, app] of apps.entries()) if (!(await tell(app, `${i + 1} of ${apps.length}`, log, work))) failed++;
  return failed;
}

/** Says what came of one and how long it took; false when it failed. */
async function tell(app: Software, place: string, log: Log, work: (app: Software) => Promise<string>): Promise<boolean> {
  const startMs = Date.now();
  const say = (what: string) => log(`${place}, ${app.name}: ${what} (${((Date.now() - startMs) / 1000).toFixed(1)} s)`);
  try {
    say(await work(app));
    return true;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return false;
  }
}

async function showTable(running: readonly Running<Software>[], home: string, log: Log): Promise<void> {
  const rows: string[][] = [];
  log('counting the pages of each; what is known by a walk is walked once');
  // In the order of the table; those of a group came as they were ready.
  for (const each of running.toSorted((a, b) => a.app.port - b.app.port)) {
    const app = APPS.find(({ name }) => name === each.app.name);
    const pages = app ? String((await truthOf({ ...each, app }, home)).length) : '';
    rows.push([each.app.name, each.app.software, each.version, each.origin + (each.app.entry ?? '/'), pages]);
  }
  log(formatTable([['name', 'software', 'version', 'address', 'pages'], ...rows]));
  log('Ctrl-C ends them.');
}

function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

if (import.meta.main) {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve());
  });
  try {
    process.exitCode = await runApps(process.argv.slice(2), SETTINGS.appsFolder, stopped, (line) => console.log(line));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
  // An installation or a walk that was under way when the signal came must not hold the process; what they started ends with it.
  process.exit();
}
