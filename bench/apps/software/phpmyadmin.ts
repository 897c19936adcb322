// phpMyAdmin on a MariaDB of its own, signed in by configuration: everything behind index.php?route=, and links that would change or drop what there is.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Place } from '../app.ts';
import { articles } from '../content.ts';
import { MARIADB, digestRows, makeMariadb, query, socketOf, startMariadb } from '../mariadb.ts';
import { PHP, PHP_SERVER, copySite, siteOf, startPhp } from '../php.ts';
import { ownPrograms } from '../programs.ts';
import { walkSite } from '../walk.ts';

/** Where Debian puts it: below a folder its robots.txt, which forbids everything, is not the site's. */
const PREFIX = '/phpmyadmin';
const MANUAL = `${PREFIX}/doc/html/`;
const DATABASE = 'garden';
const TABLES = ['plants', 'tools', 'steps'];
const PARTS = [
  'php-composer-ca-bundle',
  'php-google-recaptcha',
  'php-nikic-fast-route',
  'php-phpmyadmin-motranslator',
  'php-phpmyadmin-shapefile',
  'php-phpmyadmin-sql-parser',
  'php-twig-i18n-extension',
  'php-psr-http-factory',
  'php-psr-http-message',
  'php-slim-psr7',
  'php-symfony-config',
  'php-symfony-dependency-injection',
  'php-symfony-expression-language',
  'php-symfony-polyfill-php80',
  'php-twig',
  'php-webmozart-assert',
  'php-mariadb-mysql-kbs',
  'libjs-codemirror',
  'libjs-jquery',
  'libjs-jquery-mousewheel',
  'libjs-jquery-tablesorter',
  'libjs-jquery-timepicker',
  'libjs-jquery-ui',
];
/** What a reader of a database opens; all else are tools, settings and forms. */
const ROUTES = {
  server: ['/', '/server/databases', '/server/status', '/server/variables', '/server/collations', '/server/engines', '/server/plugins'],
  database: ['/database/structure'],
  table: ['/sql', '/table/structure'],
};

export const PHPMYADMIN: App = {
  name: 'phpmyadmin',
  software: 'phpMyAdmin behind index.php?route=',
  port: 8427,
  needs: { apt: [...PHP, ...MARIADB, ...PARTS], unpack: ['phpmyadmin', ...PHP_SERVER] },
  package: 'phpmyadmin',
  source: import.meta.filename,
  entry: `${PREFIX}/`,
  inner: `/phpmyadmin/index.php?route=/database/structure&db=${DATABASE}`,
  content: '#page_content',
  install,
  async start(place, listen, programs) {
    await startMariadb(place, programs);
    await startPhp(
      place,
      listen,
      programs,
      'location ~ ^/phpmyadmin/(libraries|templates|vendor|tmp)/ { deny all; }\nlocation / { try_files $uri $uri/ =404; }',
    );
  },
  truth: async (_place, origin) => [
    ...[
      ...ROUTES.server.map((route) => `/phpmyadmin/index.php?route=${route}`),
      ...ROUTES.database.map((route) => `/phpmyadmin/index.php?route=${route}&db=${DATABASE}`),
      ...ROUTES.table.flatMap((route) => TABLES.map((table) => `/phpmyadmin/index.php?route=${route}&db=${DATABASE}&table=${table}`)),
    ].map((path) => ({ path })),
    // The manual that it brings.
    ...(await walkSite(origin, { entry: `${MANUAL}index.html`, follows: isManual, pageOf: ({ pathname }) => pathname })),
  ],
  pageOf,
  // Forms to export and to import can be read as other tools can; what they make is no page.
  isAside: ({ pathname, search }) =>
    pathname.startsWith(MANUAL) || (pathname === `${PREFIX}/index.php` && !/sql_query=|logout|reload|export=1/.test(search)),
  state: (place) =>
    digestRows(place, DATABASE, [
      ...TABLES.map((name) => `SELECT * FROM ${name}`),
      'SHOW TABLES',
      'SHOW DATABASES',
      'SELECT User, Host FROM mysql.global_priv',
    ]),
};

async function install(place: Place): Promise<void> {
  copySite(place, join(place.unpacked('phpmyadmin'), 'usr/share/phpmyadmin'), PREFIX);
  const scratch = join(place.folder, 'tmp');
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch);
  const paths = join(siteOf(place), PREFIX, 'libraries/vendor_config.php');
  const config = join(place.folder, 'config.inc.php');
  writeFileSync(
    paths,
    readFileSync(paths, 'utf8').replace('/etc/phpmyadmin/config.inc.php', config).replace('/var/lib/phpmyadmin/tmp/', `${scratch}/`),
  );
  writeFileSync(config, configuration(place));
  await makeMariadb(place);
  const programs = ownPrograms(join(place.folder, 'log.txt'));
  try {
    await startMariadb(place, programs);
    await query(place, content());
  } finally {
    await programs.stop();
  }
}

function configuration(place: Place): string {
  const server = { auth_type: 'config', host: 'localhost', socket: socketOf(place), user: 'root', password: '', only_db: DATABASE };
  const lines = Object.entries(server).map(([name, value]) => `$cfg['Servers'][1]['${name}'] = '${value}';`);
  return `<?php\n$cfg['blowfish_secret'] = '${'0123456789abcdef'.repeat(2)}';\n${lines.join('\n')}\n$cfg['Servers'][1]['AllowNoPassword'] = true;\n$cfg['SendErrorReports'] = 'never';\n`;
}

function content(): string {
  const plants = articles(30);
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  return [
    `CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4; USE ${DATABASE};`,
    'CREATE TABLE plants (id INT PRIMARY KEY, name VARCHAR(40), slug VARCHAR(40));',
    'CREATE TABLE tools (id INT PRIMARY KEY AUTO_INCREMENT, plant INT, name VARCHAR(40), weeks INT, FOREIGN KEY (plant) REFERENCES plants (id));',
    'CREATE TABLE steps (id INT PRIMARY KEY AUTO_INCREMENT, plant INT, step TEXT, FOREIGN KEY (plant) REFERENCES plants (id));',
    ...plants.flatMap(({ title, slug, tools, steps }, index) => [
      `INSERT INTO plants VALUES (${index + 1}, ${quote(title)}, ${quote(slug)});`,
      ...tools.map(({ name, weeks }) => `INSERT INTO tools (plant, name, weeks) VALUES (${index + 1}, ${quote(name)}, ${weeks});`),
      ...steps.map((step) => `INSERT INTO steps (plant, step) VALUES (${index + 1}, ${quote(step)});`),
    ]),
  ].join('\n');
}

/** A page is its route, database and table; the server and the position say nothing more, and other languages are no pages of their own. */
function pageOf(url: URL): string | undefined {
  if (isManual(url)) return url.pathname;
  if (!/^\/phpmyadmin\/(index\.php)?$/.test(url.pathname)) return undefined;
  const { route = '/', db = '', table = '', ...rest } = Object.fromEntries(url.searchParams);
  const { lang = 'en', ...others } = rest;
  if (lang !== 'en' || Object.keys(others).some((name) => !['server', 'pos'].includes(name))) return undefined;
  return `/phpmyadmin/index.php?route=${route}${db && `&db=${db}`}${table && `&table=${table}`}`;
}

/** Menus of the manual that scripts write, and the sources of its pages, are none of it. */
function isManual({ pathname }: URL): boolean {
  return pathname.startsWith(MANUAL) && pathname.endsWith('.html');
}
