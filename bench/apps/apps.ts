// The table of all real applications, in the order in which they start.
import type { App } from './app.ts';
import { ANGULAR } from './software/angular.ts';
import { DOKUWIKI } from './software/dokuwiki.ts';
import { GITWEB } from './software/gitweb.ts';
import { HUGO } from './software/hugo.ts';
import { APACHE_LISTING, NGINX_LISTING } from './software/listings.ts';
import { MANUALS } from './software/manuals.ts';
import { MEDIAWIKI, MEDIAWIKI_QUERY, MEDIAWIKI_SKINS } from './software/mediawiki.ts';
import { MKDOCS, MKDOCS_MATERIAL } from './software/mkdocs.ts';
import { NEXT } from './software/next.ts';
import { PHPMYADMIN } from './software/phpmyadmin.ts';
import { REDMINE } from './software/redmine.ts';
import { VITEPRESS } from './software/vitepress.ts';
import { VUE_HASH, VUE_HISTORY } from './software/vue.ts';
import { WORDPRESS, WORDPRESS_QUERY, WORDPRESS_THEMES } from './software/wordpress.ts';

export const APPS: readonly App[] = [
  ...MANUALS,
  APACHE_LISTING,
  NGINX_LISTING,
  GITWEB,
  DOKUWIKI,
  MEDIAWIKI,
  MEDIAWIKI_QUERY,
  WORDPRESS,
  WORDPRESS_QUERY,
  REDMINE,
  PHPMYADMIN,
  HUGO,
  MKDOCS,
  MKDOCS_MATERIAL,
  VITEPRESS,
  VUE_HISTORY,
  VUE_HASH,
  NEXT,
  ANGULAR,
];

/** Software that shows the same content in several ways: what finding elements again is measured on, and no crawl. */
export const SKINNED: readonly App[] = [DOKUWIKI, MEDIAWIKI_SKINS, WORDPRESS_THEMES];
