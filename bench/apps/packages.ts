// Brings what applications need from Debian, PyPI and npm, each once; starts no service and says plainly what is lacking.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Needs } from './app.ts';
import { endingWithUs } from './programs.ts';

const POLICY = '/usr/sbin/policy-rc.d';
const OUTPUT_PART_CHARACTERS = 800;
let isAptFresh = false;

/** Brings all that `needs` names. `home` keeps unpacked packages, `folder` is the application's own. Throws with a sentence that says what is lacking. */
export async function bringPackages(needs: Needs, home: string, folder: string): Promise<void> {
  await installDebian(needs.apt ?? []);
  for (const name of needs.unpack ?? []) await unpackDebian(name, home);
  if (needs.pip) await installPython(needs.pip, folder);
  if (needs.npm) await installNode(needs.npm, needs.npmOverrides, folder);
}

/** Runs a program to its end. Throws with the beginning and the end of what it said when it fails. */
export async function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<string> {
  // What changes the system's packages is never cut short.
  const [file, rest] = command === 'apt-get' ? [command, args] : endingWithUs(command, args);
  const child = spawn(file, rest, { cwd: options.cwd, env: { ...process.env, ...options.env }, stdio: ['pipe', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code === 0) return Buffer.concat(output).toString();
  const said = Buffer.concat([...errors, ...output])
    .toString()
    .trim();
  const shown =
    said.length > 2 * OUTPUT_PART_CHARACTERS ? `${said.slice(0, OUTPUT_PART_CHARACTERS)} ... ${said.slice(-OUTPUT_PART_CHARACTERS)}` : said;
  throw new Error(`${command} ${args.slice(0, 4).join(' ')} ended with ${code}: ${shown}`);
}

/** The root below which `unpackDebian` laid the package. */
export function unpackedRoot(home: string, name: string): string {
  return join(home, 'unpacked', name);
}

/** The version of one of the packages that `needs` names, as it is there; empty when it is not. */
export function versionOf(name: string, needs: Needs, home: string): string {
  const pinned = needs.npm?.[name] ?? needs.pip?.find((each) => each.startsWith(`${name}==`))?.split('==')[1];
  const unpacked = needs.unpack?.includes(name) ? readFileIf(join(unpackedRoot(home, name), '.version')) : undefined;
  return pinned ?? shortVersion(unpacked ?? installedVersion(name) ?? '');
}

/** `1:1.39.17-1+deb12u2` is 1.39.17. */
function shortVersion(version: string): string {
  return version.replace(/^\d+:/, '').replace(/-[^-]*$/, '');
}

async function installDebian(names: readonly string[]): Promise<void> {
  const missing = names.filter((name) => installedVersion(name) === undefined);
  if (missing.length === 0) return;
  requireApt(missing);
  if (process.getuid?.() !== 0) throw new Error(`needs root once, or: sudo apt-get install --no-install-recommends ${missing.join(' ')}`);
  await refreshApt();
  const hadPolicy = existsSync(POLICY);
  // A package may bring a service all the same: 101 is Debian's answer for "do not start it".
  if (!hadPolicy) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await run('apt-get', ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=600', ...missing], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    });
  } finally {
    if (!hadPolicy) rmSync(POLICY, { force: true });
  }
}

async function unpackDebian(name: string, home: string): Promise<void> {
  const root = unpackedRoot(home, name);
  if (existsSync(join(root, '.version'))) return;
  requireApt([name]);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  if (!(await canDownload(name))) {
    await refreshApt();
  }
  await run('apt-get', ['download', name], { cwd: root });
  const file = readdirSync(root).find((entry) => entry.endsWith('.deb'));
  if (file === undefined) throw new Error(`apt-get downloaded no package ${name}`);
  await run('dpkg-deb', ['-x', file, '.'], { cwd: root });
  const version = await run('dpkg-deb', ['-f', file, 'Version'], { cwd: root });
  rmSync(join(root, file));
  relink(root, root);
  writeFileSync(join(root, '.version'), version.trim());
}

async function canDownload(name: string): Promise<boolean> {
  return (await run('apt-cache', ['policy', name])).includes('Candidate: ');
}

/** Links lead to where the package was unpacked, else to what is installed; those that lead nowhere go. */
function relink(root: string, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) relink(root, path);
    if (!entry.isSymbolicLink()) continue;
    const target = readlinkSync(path);
    const meant = target.startsWith('/') ? target : `/${relative(root, join(folder, target))}`;
    rmSync(path);
    if (isThere(join(root, meant))) symlinkSync(relative(folder, join(root, meant)), path);
    else if (existsSync(meant)) symlinkSync(meant, path);
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

async function installPython(packages: readonly string[], folder: string): Promise<void> {
  const environment = join(folder, 'python');
  await once(join(environment, '.weft-packages'), packages.join('\n'), async () => {
    rmSync(environment, { recursive: true, force: true });
    await run('python3', ['-m', 'venv', environment]);
    await run(join(environment, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
  });
}

async function installNode(
  packages: Readonly<Record<string, string>>,
  overrides: Readonly<Record<string, string>> | undefined,
  folder: string,
): Promise<void> {
  const manifest = JSON.stringify({ name: 'weft-app', private: true, type: 'module', dependencies: packages, overrides }, undefined, 2);
  mkdirSync(folder, { recursive: true });
  await once(join(folder, 'node_modules', '.weft-packages'), manifest, async () => {
    writeFileSync(join(folder, 'package.json'), manifest);
    await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, env: { PATH: pathWithOwnNode() } });
  });
}

/** A PATH on which `node` is the one that runs this: npm chooses versions for the Node it finds. */
export function pathWithOwnNode(): string {
  return `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
}

async function once(stamp: string, wanted: string, work: () => Promise<void>): Promise<void> {
  const digest = createHash('sha256').update(wanted).digest('hex');
  if (readFileIf(stamp) === digest) return;
  await work();
  writeFileSync(stamp, digest);
}

async function refreshApt(): Promise<void> {
  if (isAptFresh || process.getuid?.() !== 0) return;
  await run('apt-get', ['update', '-qq', '-o', 'DPkg::Lock::Timeout=600']);
  isAptFresh = true;
}

function requireApt(names: readonly string[]): void {
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0)
    throw new Error(`needs apt-get for the Debian packages ${names.join(', ')}`);
}

function installedVersion(name: string): string | undefined {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f=${db:Status-Status} ${Version}', name], { encoding: 'utf8' });
  return /^installed (\S+)/.exec(stdout ?? '')?.[1];
}

function readFileIf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
