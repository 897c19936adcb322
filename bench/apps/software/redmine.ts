// Redmine on SQLite: issues, wikis, news and forums of two projects, with its own robots.txt.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { App, Listen, Page, Place, Programs } from '../app.ts';
import { articles } from '../content.ts';
import { run } from '../packages.ts';
import { copySite, siteOf } from '../php.ts';
import { digestOf } from '../walk.ts';

const SEED = join(import.meta.dirname, 'redmine/seed.rb');
/** What Redmine's package depends on; the package itself would make an instance for the whole system. */
const RUBY =
  'ruby ruby-bundler puma ruby-actionpack-action-caching ruby-actionpack-xml-parser ruby-addressable ruby-coderay ruby-commonmarker ruby-csv ruby-html-pipeline ruby-i18n ruby-jquery-rails ruby-mail ruby-marcel ruby-mini-magick ruby-mini-mime ruby-net-ldap ruby-nokogiri ruby-rack ruby-rails ruby-rails-observers ruby-rbpdf ruby-redcarpet ruby-request-store ruby-rmagick ruby-roadie ruby-roadie-rails ruby-rotp ruby-rouge ruby-rqrcode ruby-sanitize ruby-sqlite3 ruby-task-list ruby-zip libjs-chart.js libjs-jquery libjs-jquery-ui libjs-raphael'.split(
    ' ',
  );
const KEPT_TABLES = [
  'issues',
  'journals',
  'wiki_pages',
  'wiki_contents',
  'news',
  'messages',
  'boards',
  'projects',
  'users',
  'watchers',
  'attachments',
  'comments',
];
const ENVIRONMENT = { RAILS_ENV: 'production', BUNDLE_WITHOUT: 'development:test', REDMINE_LANG: 'en', RAILS_SERVE_STATIC_FILES: '1' };

/** Where its SQLite lies. */
export const databaseOf = (place: Place) => join(place.folder, 'redmine.sqlite');
/** What every Redmine needs. */
export const REDMINE_NEEDS = { apt: RUBY, unpack: ['redmine'] } as const;

/** Each kind of page by what its table says; messages are counted when they read the topic. */
const PAGES: readonly string[] = [
  "SELECT '/projects/' || identifier AS path, name AS title FROM projects WHERE is_public",
  "SELECT '/issues/' || id AS path, subject AS title FROM issues WHERE is_private = 0",
  "SELECT '/projects/' || p.identifier || '/wiki/' || w.title AS path, w.title AS title FROM wiki_pages w JOIN wikis ON wikis.id = w.wiki_id JOIN projects p ON p.id = wikis.project_id WHERE w.title <> 'Wiki'",
  "SELECT '/projects/' || identifier || '/wiki' AS path, name AS title FROM projects",
  "SELECT '/news/' || id AS path, title FROM news",
  "SELECT '/projects/' || p.identifier || '/boards' AS path, b.name AS title FROM boards b JOIN projects p ON p.id = b.project_id",
  "SELECT '/boards/' || board_id || '/topics/' || id AS path, subject AS title FROM messages WHERE parent_id IS NULL",
];

export const REDMINE: App = {
  name: 'redmine',
  software: 'Redmine',
  port: 8426,
  needs: REDMINE_NEEDS,
  package: 'redmine',
  source: import.meta.filename,
  inner: '/projects/garden/wiki',
  content: '#content',
  install: (place) => installRedmine(place, SEED, articles(40)),
  start: startRedmine,
  truth: (place) => Promise.resolve([{ path: '/', title: 'Home' }, { path: '/projects', title: 'Projects' }, ...rowsOf(place)]),
  // `jump` says which tab was open before, `r` which reply to scroll to.
  pageOf: ({ pathname, search }) => (/^(\?(jump|r)=\w+)?$/.test(search) ? pathname.replace(/\/wiki\/Wiki$/, '/wiki') : undefined),
  isAside: ({ pathname }) =>
    /\/(issues|activity|calendar|gantt|roadmap|news|boards\/\d+|history|index|date_index|search|report(\/\w+)?|versions\/\d+|users\/\d+|annotate|diff|documents)$/.test(
      pathname,
    ) || /\/wiki\/[^/]+\/\d+/.test(pathname),
  state: (place) => Promise.resolve(stateOf(place)),
};

/** Makes a Redmine from nothing and runs `seed`, a Ruby script, in it: its only argument is a file with `words` as JSON. */
export async function installRedmine(place: Place, seed: string, words: unknown): Promise<void> {
  copySite(place, join(place.unpacked('redmine'), 'usr/share/redmine'));
  const site = siteOf(place);
  rmSync(databaseOf(place), { force: true });
  rmSync(join(site, 'Gemfile.lock'), { force: true });
  for (const folder of ['instances/default/config', 'tmp', 'log', 'files', 'plugins', 'public/plugin_assets'])
    mkdirSync(join(site, folder), { recursive: true });
  writeFileSync(
    join(site, 'instances/default/config/database.yml'),
    `production:\n  adapter: sqlite3\n  database: ${databaseOf(place)}\n  timeout: 10000\n`,
  );
  // Bundler resolves what it leaves out, too, and a test library is no dependency of the package.
  const gems = readFileSync(join(site, 'Gemfile'), 'utf8')
    .replaceAll('/usr/share/redmine/', `${site}/`)
    .replace(/^group :test do\n.*?^end\n/ms, '');
  writeFileSync(join(site, 'Gemfile'), `${gems}\ngem 'puma'\n`);
  // Mail written by a thread of its own would hold the database that the one who writes waits for.
  writeFileSync(join(site, 'config/additional_environment.rb'), 'config.active_job.queue_adapter = :inline\n');
  const file = join(place.folder, 'words.json');
  writeFileSync(file, JSON.stringify(words));
  const options = { cwd: site, env: ENVIRONMENT };
  await run('bundle', ['exec', 'rake', 'generate_secret_token', 'db:migrate'], options);
  await run('bundle', ['exec', 'rake', 'redmine:load_default_data'], options);
  await run('bundle', ['exec', 'rails', 'runner', seed, file], options);
}

/** Starts what `installRedmine` made and waits until it answers. */
export async function startRedmine(place: Place, listen: Listen, programs: Programs): Promise<void> {
  const bind = `tcp://${listen.host}:${listen.port}`;
  // Processes, not threads: Ruby's SQLite waits for a lock without letting the thread go on that holds it.
  programs.start('bundle', ['exec', 'puma', '--workers', '2', '--threads', '1:1', '--bind', bind], {
    cwd: siteOf(place),
    env: ENVIRONMENT,
  });
  await programs.answers(`http://${listen.host}:${listen.port}/`);
}

function rowsOf(place: Place): Page[] {
  using database = new DatabaseSync(databaseOf(place), { readOnly: true });
  return PAGES.flatMap((sql) =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ path: String(row['path']), title: String(row['title']) })),
  );
}

function stateOf(place: Place): string {
  using database = new DatabaseSync(databaseOf(place), { readOnly: true });
  return digestOf(KEPT_TABLES.map((table) => JSON.stringify(database.prepare(`SELECT * FROM ${table} ORDER BY id`).all())));
}
