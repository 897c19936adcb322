// The part of the health that tells of files whose bytes the disk has lost.
import type { HealthPart } from '@weft/contract';
import type { Blobs } from '../blobs/blob.ts';

/** What was found while files were read since the start; `weft doctor --verify` reads all of them. */
export function contentsPart(blobs: Blobs): HealthPart {
  const damaged = blobs.damaged().length;
  if (damaged === 0) return { name: 'files', status: 'ok', message: 'No file that was read is damaged.' };
  return {
    name: 'files',
    status: 'fail',
    message: `The bytes of ${damaged === 1 ? 'a file are' : `${damaged} files are`} not what was kept.`,
    fix: 'weft doctor --verify   (names them; restore them from a copy of the home, or delete them and upload them again)',
  };
}
