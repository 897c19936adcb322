// PHP applications behind nginx, with several PHP processes so that requests are answered side by side.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Listen, Place, Programs } from './app.ts';
import { NGINX, startNginx } from './nginx.ts';

/** The installed packages that every PHP application needs, and those that are unpacked. */
export const PHP = ['php-cgi', 'php-cli', 'php-xml', 'php-mbstring', 'php-intl', 'php-gd', 'php-curl', 'php-sqlite3', 'php-mysql'] as const;
export const PHP_SERVER = NGINX;

/** What FastCGI hands to PHP. The host keeps its port: Debian's own list drops it. */
const PARAMETERS = {
  SCRIPT_FILENAME: '$document_root$fastcgi_script_name',
  SCRIPT_NAME: '$fastcgi_script_name',
  PATH_INFO: '$fastcgi_path_info',
  DOCUMENT_ROOT: '$document_root',
  DOCUMENT_URI: '$document_uri',
  REQUEST_URI: '$request_uri',
  REQUEST_METHOD: '$request_method',
  QUERY_STRING: '$query_string',
  CONTENT_TYPE: '$content_type',
  CONTENT_LENGTH: '$content_length',
  SERVER_PROTOCOL: '$server_protocol',
  SERVER_SOFTWARE: 'nginx',
  GATEWAY_INTERFACE: 'CGI/1.1',
  REMOTE_ADDR: '$remote_addr',
  REMOTE_PORT: '$remote_port',
  SERVER_ADDR: '$server_addr',
  SERVER_PORT: '$server_port',
  SERVER_NAME: '$server_name',
  HTTP_HOST: '$http_host',
  REDIRECT_STATUS: '200',
};
const PROCESSES = '4';

/** The folder that holds the application's own copy of the software. */
export function siteOf(place: Place): string {
  return join(place.folder, 'site');
}

/** The folder that holds the sessions of PHP, one file each. */
export function sessionsOf(place: Place): string {
  return join(place.folder, 'sessions');
}

/** A fresh copy of an unpacked package's folder, links followed, for the application to configure; `below` is the folder that its addresses begin with. */
export function copySite(place: Place, source: string, below = ''): void {
  rmSync(siteOf(place), { recursive: true, force: true });
  mkdirSync(place.folder, { recursive: true });
  cpSync(source, join(siteOf(place), below), { recursive: true, dereference: true });
}

/** Starts PHP and nginx on the copy. `locations` are the server's rules for what is no file; `*.php` is run. */
export async function startPhp(place: Place, listen: Listen, programs: Programs, locations: string): Promise<void> {
  const socket = join(place.folder, 'php.sock');
  rmSync(socket, { force: true });
  mkdirSync(sessionsOf(place), { recursive: true });
  const settings = ['opcache.enable=1', 'display_errors=0', 'memory_limit=512M', `session.save_path=${sessionsOf(place)}`];
  programs.start('php-cgi', ['-b', socket, ...settings.flatMap((setting) => ['-d', setting])], {
    env: { PHP_FCGI_CHILDREN: PROCESSES, PHP_FCGI_MAX_REQUESTS: '0' },
  });
  const params = Object.entries(PARAMETERS)
    .map(([name, value]) => `fastcgi_param ${name} ${value};`)
    .join('\n  ');
  await startNginx(
    place,
    listen,
    programs,
    `
root "${siteOf(place)}"; index index.php index.html; absolute_redirect off;
${locations}
location ~ \\.php(/|$) {
  fastcgi_split_path_info ^(.+?\\.php)(/.*)?$;
  ${params}
  fastcgi_pass "unix:${socket}";
}`,
  );
  // Where the first page is no program nginx answers alone; PHP says itself that there is none.
  await programs.answers(`http://${listen.host}:${listen.port}/index.php`);
}
