// Verdaccio, a registry of packages that only its users see: an application of scripts whose session is a token in the browser's local storage.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash, randomBytes } from 'node:crypto';
import type { Listen, Place, Programs, Software } from '../app.ts';
import { articles } from '../content.ts';
import type { LoginApp, Row } from '../login-app.ts';
import { pathWithOwnNode, run } from '../packages.ts';
import { ownPrograms } from '../programs.ts';
import { freePort } from '../../src/processes.ts';

const HOST = '127.0.0.1';
const PACKAGES = 12;
const USER = { username: 'ada', password: 'potting-shed-0123456789' };
const storageOf = (place: Place) => join(place.folder, 'storage');
/** Nobody registers, and nothing is asked of another registry. */
const configurationFor = (readers: '$authenticated' | '$all') => `storage: ./storage
auth:
  htpasswd:
    file: ./htpasswd
    max_users: -1
packages:
  '**':
    access: ${readers}
    publish: $authenticated
web:
  title: Garden registry
log: { type: stdout, format: json, level: warn }
`;

const SOFTWARE: Software = {
  name: 'verdaccio',
  software: 'Verdaccio',
  port: 8445,
  needs: { npm: { verdaccio: '6.10.4' }, npmOverrides: { 'node-fetch': '2.7.0' } },
  package: 'verdaccio',
  source: import.meta.filename,
  install: (place) => install(place, '$authenticated'),
  start,
};

/** The same packages for everybody to see. */
export const VERDACCIO_OPEN: Software = {
  ...SOFTWARE,
  name: 'verdaccio-open',
  software: 'Verdaccio for everybody',
  port: 8448,
  install: (place) => install(place, '$all'),
};

export const VERDACCIO: LoginApp = {
  software: SOFTWARE,
  site: ({ place, origin, restart }) => ({
    origin,
    login: { ...USER, url: `${origin}/` },
    accounts: [USER],
    form: {
      opener: '[data-testid=header--button-login]',
      username: '#login--dialog-username',
      password: '#login--dialog-password',
      submit: '#login--dialog-button-submit',
      proof: '[data-testid=logInDialogIcon]',
    },
    list: {
      url: `${origin}/`,
      row: '[data-testid=package-item-list]',
      columns: { name: { selector: '.package-title' } },
      isVirtual: true,
      rows: () => packagesOf(origin),
    },
    isLogin: ({ method, target }) => method === 'POST' && target.startsWith('/-/verdaccio/sec/login'),
    // A token is signed, and no list of tokens is kept: a new key is the only way to end them.
    async endSessions() {
      const path = join(storageOf(place), '.verdaccio-db.json');
      const kept = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
      writeFileSync(path, JSON.stringify({ ...kept, secret: randomBytes(16).toString('hex') }));
      await restart();
    },
  }),
};

async function start(place: Place, listen: Listen, programs: Programs): Promise<void> {
  const program = join(place.folder, 'node_modules/verdaccio/bin/verdaccio');
  programs.start(process.execPath, [program, '--config', join(place.folder, 'config.yaml'), '--listen', `${listen.host}:${listen.port}`]);
  await programs.answers(`http://${listen.host}:${listen.port}/`);
}

/** Publishes by npm itself. */
async function install(place: Place, readers: '$authenticated' | '$all'): Promise<void> {
  rmSync(storageOf(place), { recursive: true, force: true });
  mkdirSync(storageOf(place));
  writeFileSync(join(place.folder, 'config.yaml'), configurationFor(readers));
  writeFileSync(join(place.folder, 'htpasswd'), `${USER.username}:{SHA}${createHash('sha1').update(USER.password).digest('base64')}\n`);
  const port = await freePort();
  const listen = { host: HOST, port, origin: `http://${HOST}:${port}` };
  const programs = ownPrograms(join(place.folder, 'log.txt'));
  try {
    await start(place, listen, programs);
    for (const [at, { slug, paragraphs }] of articles(PACKAGES).entries())
      await publish(place, listen, `${slug}-seeds`, `1.${at}.0`, paragraphs[0] ?? '');
  } finally {
    await programs.stop();
  }
}

async function publish(place: Place, { host, port }: Listen, name: string, version: string, description: string): Promise<void> {
  const folder = join(place.folder, 'draft');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, description, license: 'CC0-1.0' }));
  writeFileSync(join(folder, '.npmrc'), `//${host}:${port}/:_auth=${credentials()}\n`);
  await run('npm', ['publish', '--registry', `http://${host}:${port}/`, '--loglevel=error'], {
    cwd: folder,
    env: { PATH: pathWithOwnNode() },
  });
}

/** As the search of npm's clients answers them, in the order of their names, as its page shows them. */
async function packagesOf(origin: string): Promise<Row[]> {
  const response = await fetch(`${origin}/-/v1/search?text=&size=250`, { headers: { authorization: `Basic ${credentials()}` } });
  if (!response.ok) throw new Error(`/-/v1/search answered ${response.status}`);
  const { objects } = (await response.json()) as { readonly objects: readonly { readonly package: { readonly name: string } }[] };
  return objects.map((each) => ({ name: each.package.name })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function credentials(): string {
  return Buffer.from(`${USER.username}:${USER.password}`).toString('base64');
}
