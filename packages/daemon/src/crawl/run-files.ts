// Keeps what pages bring as files of their run.
import { AppError } from '@weft/contract';
import { PageError } from '@weft/engine';
import type { PageFile } from '@weft/engine';
import { explainFault } from '../db/fault.ts';
import type { Files } from '../files/file.ts';

/** Keeps `file`, which the page at `url` brought to run `runId`; its id. Throws PageError `internal`, with the reason, where the disk takes none. */
export async function keepRunFile(file: PageFile, url: string, runId: number, files: Pick<Files, 'keepOfRun'>): Promise<string> {
  try {
    return (await files.keepOfRun(file, runId)).id;
  } catch (error) {
    const told = error instanceof AppError ? error : explainFault(error);
    throw told ? new PageError('internal', told.message, { url, cause: error }) : error;
  }
}
