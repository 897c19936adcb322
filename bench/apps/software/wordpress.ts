// WordPress on a MariaDB of its own, twice: with dated permalinks and with plain ones (/?p=), each with a shop in WooCommerce's markup.
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Page, Place } from '../app.ts';
import { articles } from '../content.ts';
import { MARIADB, digestRows, makeMariadb, query, socketOf, startMariadb } from '../mariadb.ts';
import { run } from '../packages.ts';
import { PHP, PHP_SERVER, copySite, siteOf, startPhp } from '../php.ts';
import { ownPrograms } from '../programs.ts';

const SCRIPTS = join(import.meta.dirname, 'wordpress');
/** The database of MariaDB that it has for itself. */
export const WORDPRESS_DATABASE = 'wordpress';
const POSTS = 40;
const THEME = 'wordpress-theme-twentytwentyone';
/** Options hold caches and schedules, which reading writes; the rest of the database is kept whole. */
const KEPT = ['posts', 'postmeta', 'comments', 'commentmeta', 'terms', 'term_taxonomy', 'term_relationships', 'users']
  .map((name) => `SELECT * FROM wp_${name}`)
  .concat(
    "SELECT * FROM wp_options WHERE option_name NOT LIKE '%transient%' AND option_name NOT IN ('cron', 'rewrite_rules', 'recently_edited')",
  );

export const WORDPRESS: App = wordpress({
  name: 'wordpress',
  software: 'WordPress, dated permalinks, shop',
  port: 8424,
  inner: '/2024/02/bean/',
  permalinks: '/%year%/%monthnum%/%postname%/',
});
export const WORDPRESS_QUERY: App = wordpress({
  name: 'wordpress-query',
  software: 'WordPress behind /?p=, shop',
  port: 8425,
  inner: '/?cat=2',
  permalinks: '',
});

/** In three themes, by `?theme=`: each shows the same posts in markup of its own. */
export const WORDPRESS_THEMES: App = wordpress({
  name: 'wordpress-themes',
  software: 'WordPress in three themes',
  port: 8482,
  inner: '/?p=4',
  permalinks: '',
  themes: ['twentytwentytwo', 'twentytwentythree'],
});

interface Variant extends Pick<App, 'name' | 'software' | 'port' | 'inner'> {
  readonly permalinks: string;
  /** Beside its own one. */
  readonly themes?: readonly string[];
}

function wordpress({ permalinks, themes = [], ...rest }: Variant): App {
  const packages = [THEME, ...themes.map((theme) => `wordpress-theme-${theme}`)];
  return {
    ...rest,
    needs: {
      apt: [...PHP, ...MARIADB, 'php-getid3', 'libjs-cropper', 'libjs-underscore'],
      unpack: ['wordpress', ...packages, ...PHP_SERVER],
    },
    package: 'wordpress',
    source: import.meta.filename,
    content: 'article .entry-content, main .products, main .product',
    install: (place) => install(place, permalinks, packages),
    async start(place, listen, programs) {
      await startMariadb(place, programs);
      await startPhp(place, listen, programs, 'location / { try_files $uri $uri/ /index.php?$args; }');
    },
    truth: async (place, origin) =>
      JSON.parse(await run('php', [join(SCRIPTS, 'truth.php'), siteOf(place), new URL(origin).host])) as Page[],
    // The order of parameters says nothing.
    pageOf: ({ pathname, search }) => (search === '' ? pathname : `${pathname}?${search.slice(1).split('&').toSorted().join('&')}`),
    state: (place) => digestRows(place, WORDPRESS_DATABASE, KEPT),
  };
}

async function install(place: Place, permalinks: string, themes: readonly string[]): Promise<void> {
  copySite(place, join(place.unpacked('wordpress'), 'usr/share/wordpress'));
  const site = siteOf(place);
  for (const theme of themes)
    cpSync(join(place.unpacked(theme), 'usr/share/wordpress/wp-content/themes'), join(site, 'wp-content/themes'), {
      recursive: true,
      dereference: true,
    });
  rmSync(join(site, 'wp-content/plugins'), { recursive: true, force: true });
  mkdirSync(join(site, 'wp-content/mu-plugins'), { recursive: true });
  for (const plugin of ['shop.php', 'theme.php']) copyFileSync(join(SCRIPTS, plugin), join(site, 'wp-content/mu-plugins', plugin));
  writeFileSync(join(site, 'wp-config.php'), configuration(place));
  await makeMariadb(place);
  const programs = ownPrograms(join(place.folder, 'log.txt'));
  try {
    await startMariadb(place, programs);
    await query(place, `CREATE DATABASE ${WORDPRESS_DATABASE} CHARACTER SET utf8mb4`);
    await run('php', [join(SCRIPTS, 'install.php'), site], { input: JSON.stringify({ permalinks, articles: articles(POSTS) }) });
  } finally {
    await programs.stop();
  }
}

function configuration(place: Place): string {
  return `<?php
define('DB_NAME', '${WORDPRESS_DATABASE}');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${socketOf(place)}');
define('DB_CHARSET', 'utf8mb4');
define('WP_HOME', 'http://' . $_SERVER['HTTP_HOST']);
define('WP_SITEURL', WP_HOME);
define('DISABLE_WP_CRON', true);
define('WP_DEFAULT_THEME', 'twentytwentyone');
define('WP_HTTP_BLOCK_EXTERNAL', true);
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) { define($name . '_KEY', md5($name)); define($name . '_SALT', md5("salt $name")); }
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;
}
