// `npm start` is the agent in the foreground; `npm start -- <args>` is `weft <args>`. One process, so that signals reach it.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

process.env.SERVICE_CALLED ??= 'npm start --';
// Compiled code is kept from the first file on: what strips types is not even loaded then, 40 ms and 18 MB.
const cache = join(process.env.SERVICE_HOME || join(homedir(), '.weft'), 'cache');
if (existsSync(cache)) enableCompileCache((process.env.NODE_COMPILE_CACHE ??= join(cache, 'compile')));
if (process.argv.length > 2) await import('../packages/cli/src/main.ts');
else await import('../packages/daemon/src/main.ts');
