// How to bring each operation to each status that it declares. A row of the operation table without an entry in `reach/` fails the test.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listFiles } from '../../scripts/modules.ts';
import type { Reach } from './ways.ts';

const files = listFiles(join(import.meta.dirname, 'reach'), '.', ['.ts']);
const tables = await Promise.all(
  files.map(async (file) => {
    const { reach }: { reach: Readonly<Record<string, Reach>> } = await import(
      pathToFileURL(join(import.meta.dirname, 'reach', file)).href
    );
    return reach;
  }),
);

/** By the operation's id. */
export const REACH: Readonly<Record<string, Reach>> = Object.assign({}, ...tables);
