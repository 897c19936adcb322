// `runtime.json`: how a client finds this agent (D11). Removed at a clean exit, by the instance that wrote it.
import { rmSync } from 'node:fs';
import type { Home } from './home.ts';
import { findPrivate, writePrivate } from '@weft/serve';

export interface RuntimeFile {
  readonly instance_id: string;
  readonly pid: number;
  readonly base_url: string;
  readonly https_url?: string;
  readonly token: string;
  readonly probe_secret: string;
  readonly version: string;
  readonly started_at: string;
}

const NAME = 'runtime.json';

export function writeRuntimeFile(home: Home, runtime: RuntimeFile): void {
  writePrivate(home.file(NAME), `${JSON.stringify(runtime, null, 2)}\n`);
}

/** Leaves a file of another instance alone. */
export function removeRuntimeFile(home: Home, instanceId: string): void {
  if (findPrivate(home.file(NAME))?.includes(instanceId)) rmSync(home.file(NAME), { force: true });
}
