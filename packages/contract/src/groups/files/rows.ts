// Group Files.
import { z } from 'zod';
import { listQuery } from '../../ids.ts';
import { LIMITS } from '../../limits.ts';
import type { OperationGroup } from '../../operation.ts';
import { json, list, none } from '../../replies.ts';
import { ErrorBody } from '../../error-body.ts';
import { FileDescriptor, FileFromData } from './file.ts';

const params = z.strictObject({ id: z.string().regex(/^file_[0-9a-z]{1,40}$/, "must be a file's id, file_...") });

/** Room for the lines between the parts of a form. */
const FORM_BYTES = 65_536;

export const files = {
  list: {
    id: 'files.list',
    method: 'GET',
    path: '/v1/files',
    summary: 'list file descriptors',
    scopes: ['read'],
    query: z.strictObject(listQuery),
    replies: { 200: list(FileDescriptor, 'Files, newest first.') },
  },
  upload: {
    id: 'files.upload',
    method: 'POST',
    path: '/v1/files',
    summary: 'upload a file (multipart)',
    scopes: ['admin'],
    bodyType: 'multipart',
    bodyBytesMax: LIMITS.uploadBytesMax + FORM_BYTES,
    replies: { 201: json(FileDescriptor, 'The file, once its bytes are safely on disk. Of several in one form, the first.') },
    errors: ['conflict', 'device_capacity'],
    // The bytes of two uploads are never compared, so a repeated key can't be answered with the first one's file.
    idempotency: 'once',
  },
  fromData: {
    id: 'files.fromData',
    method: 'POST',
    path: '/v1/files/from-data',
    summary: 'export workflow data to a file',
    scopes: ['admin'],
    body: FileFromData,
    replies: { 201: json(FileDescriptor, 'The file with all records of one moment.') },
    errors: ['conflict', 'device_capacity', 'not_found'],
    idempotency: 'replay',
  },
  read: {
    id: 'files.read',
    method: 'GET',
    path: '/v1/files/{id}',
    summary: 'read a file descriptor',
    scopes: ['read'],
    params,
    replies: { 200: json(FileDescriptor, 'The file without its bytes.') },
    errors: ['not_found'],
  },
  delete: {
    id: 'files.delete',
    method: 'DELETE',
    path: '/v1/files/{id}',
    summary: 'delete a file',
    scopes: ['admin'],
    params,
    replies: { 204: none('The file is gone; so are its bytes, unless another file has the same.') },
    errors: ['not_found'],
  },
  content: {
    id: 'files.content',
    method: 'GET',
    path: '/v1/files/{id}/content',
    summary: 'download the file bytes',
    scopes: ['read'],
    params,
    replies: {
      200: { description: 'The bytes, as an attachment under the type that the file came with.', content: { '*/*': 'bytes' } },
      206: { description: 'The one range that `Range` asked for.', content: { '*/*': 'bytes' } },
      416: json(ErrorBody, '`Range` begins behind the end; `Content-Range` has the size.'),
    },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
