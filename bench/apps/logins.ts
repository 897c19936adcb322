// The table of the real applications that people log in to, in the order in which they start.
import type { LoginApp } from './login-app.ts';
import { DOKUWIKI_MEMBERS } from './software/dokuwiki-members.ts';
import { MEDIAWIKI_MEMBERS } from './software/mediawiki-members.ts';
import { REDMINE_MEMBERS } from './software/redmine-members.ts';
import { VERDACCIO } from './software/verdaccio.ts';
import { WORDPRESS_MEMBERS } from './software/wordpress-members.ts';

export const LOGINS: readonly LoginApp[] = [DOKUWIKI_MEMBERS, MEDIAWIKI_MEMBERS, WORDPRESS_MEMBERS, REDMINE_MEMBERS, VERDACCIO];
