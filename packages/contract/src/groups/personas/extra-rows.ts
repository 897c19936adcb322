// Beyond the specification: the session of a persona as other programs read and write it.
import { z } from 'zod';
import { rowIdText } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';
import { IMPORT_BYTES_MAX, LeftOut } from '../workflows/exchange.ts';
import { PersonaSession } from './persona.ts';

const params = z.strictObject({ id: rowIdText });
const objects = z.array(z.record(z.string(), z.unknown()));

/** Cookies and storage of a browser, as Playwright's `storageState` writes and reads them. */
const StorageStateFile = z.strictObject({ cookies: objects, origins: objects }).meta({ id: 'StorageState' });

export const personas = {
  exportStorageState: {
    id: 'personas.exportStorageState',
    method: 'GET',
    path: '/x/personas/{id}/storage-state',
    summary: 'the session of a persona as a storage state of Playwright: whoever has it is logged in',
    scopes: ['runtime'],
    params,
    replies: { 200: json(StorageStateFile, 'Cookies, local storage and databases; empty where no session is kept.') },
    errors: ['not_found', 'vault_locked'],
  },
  importStorageState: {
    id: 'personas.importStorageState',
    method: 'POST',
    path: '/x/personas/{id}/storage-state',
    summary: 'keep a storage state of Playwright as the session of a persona, in place of the one before',
    scopes: ['admin'],
    params,
    body: StorageStateFile,
    bodyBytesMax: IMPORT_BYTES_MAX,
    replies: {
      200: json(z.strictObject({ session: PersonaSession, left_out: z.array(LeftOut) }), 'What is kept, and what of the file is not.'),
    },
    errors: ['not_found', 'vault_locked'],
  },
} as const satisfies OperationGroup;
