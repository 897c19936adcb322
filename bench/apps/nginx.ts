// nginx for one application: its own configuration, log and temporary files, run by whoever runs us.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Listen, Place, Programs } from './app.ts';

/** The packages that `startNginx` needs in `needs.unpack`. */
export const NGINX = ['nginx', 'nginx-common'] as const;

/** Starts nginx with `server` as the body of its only server block and waits until it answers. */
export async function startNginx(place: Place, listen: Listen, programs: Programs, server: string): Promise<void> {
  const folder = join(place.folder, 'nginx');
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'nginx.conf');
  writeFileSync(config, configuration(place, listen, folder, server));
  programs.start(join(place.unpacked('nginx'), 'usr/sbin/nginx'), ['-p', folder, '-e', 'stderr', '-c', config]);
  await programs.answers(`http://${listen.host}:${listen.port}/`);
}

/** A folder of files as a server hands it out; `fallback` is the page for paths that are no file, as a history router needs. */
export function filesBelow(root: string, fallback = '=404'): string {
  return `root "${root}"; index index.html; absolute_redirect off; location / { try_files $uri $uri/ ${fallback}; }`;
}

function configuration(place: Place, listen: Listen, folder: string, server: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join(' ');
  return `
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 512; }
http {
  include "${join(place.unpacked('nginx-common'), 'etc/nginx/mime.types')}";
  default_type application/octet-stream;
  access_log off;
  ${temporary}
  sendfile on;
  charset_types text/plain text/css application/javascript;
  server {
    listen ${listen.host}:${listen.port};
    server_name _;
    ${server}
  }
}
`.replace('client_body_temp_path client_body', `client_body_temp_path "${join(folder, 'client_body')}"`);
}
