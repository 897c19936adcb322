// Apache for one application: its own configuration, log and process file, without a service.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Listen, Place, Programs } from './app.ts';

const MODULES_FOLDER = '/usr/lib/apache2/modules';
const MODULES_ALWAYS = ['mpm_event', 'authz_core', 'mime', 'dir', 'env'];

export interface ApacheOptions {
  /** Beside those that every server needs. */
  readonly modules: readonly string[];
  /** Directives of the only server. */
  readonly server: string;
}

/** Starts Apache and waits until it answers. Needs the Debian package apache2-bin. */
export async function startApache(place: Place, listen: Listen, programs: Programs, { modules, server }: ApacheOptions): Promise<void> {
  const folder = join(place.folder, 'apache');
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'apache.conf');
  const load = [...MODULES_ALWAYS, ...modules].map((name) => `LoadModule ${name}_module ${MODULES_FOLDER}/mod_${name}.so`).join('\n');
  writeFileSync(join(folder, 'mime.types'), MIME_TYPES);
  writeFileSync(
    config,
    `ServerRoot "${folder}"\nServerName ${listen.host}\nListen ${listen.host}:${listen.port}\nPidFile pid\nErrorLog error.log\n${load}\nTypesConfig mime.types\n${server}\n`,
  );
  // Apache refuses to serve as root; in a user namespace without a map it is nobody, and its files stay ours.
  const [command, ...before] = process.getuid?.() === 0 ? ['unshare', '-U', '--', '/usr/sbin/apache2'] : ['/usr/sbin/apache2'];
  programs.start(command ?? '', [...before, '-f', config, '-DFOREGROUND']);
  await programs.answers(`http://${listen.host}:${listen.port}/`);
}

const MIME_TYPES = `
text/html html htm
text/plain txt
text/css css
text/javascript js
application/json json
application/xml xml
application/gzip gz
image/svg+xml svg
image/png png
image/jpeg jpg jpeg
`;
