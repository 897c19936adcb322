// The table of the real applications that APIs are made of, in the order in which they start.
import type { ApiApp } from './api-app.ts';
import { DOKUWIKI_API } from './software/dokuwiki-api.ts';
import { MEDIAWIKI_API } from './software/mediawiki-api.ts';
import { REDMINE_API } from './software/redmine-api.ts';
import { REACT_ADMIN_API, REFINE_API } from './software/retail-api.ts';
import { VERDACCIO_API } from './software/verdaccio-api.ts';
import { WORDPRESS_API } from './software/wordpress-api.ts';

export const APIS: readonly ApiApp[] = [
  DOKUWIKI_API,
  MEDIAWIKI_API,
  WORDPRESS_API,
  REDMINE_API,
  VERDACCIO_API,
  REACT_ADMIN_API,
  REFINE_API,
];
