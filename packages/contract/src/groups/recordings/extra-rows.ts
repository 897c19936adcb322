// Beyond the specification: recordings. Whoever acts in a browser of this machine shows the runtime token (D17).
import { z } from 'zod';
import { rowIdText } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { json, none } from '../../replies.ts';
import { NewRecording, Recording } from './recording.ts';
import { ScreenLink } from './screen.ts';

const params = z.strictObject({ id: rowIdText });

export const recordings = {
  create: {
    id: 'recordings.create',
    method: 'POST',
    path: '/x/recordings',
    summary: 'record what a person does in a browser',
    scopes: ['runtime'],
    body: NewRecording,
    replies: { 201: json(Recording, 'The recording; its browser is opening.') },
    errors: ['not_found', 'device_capacity'],
  },
  read: {
    id: 'recordings.read',
    method: 'GET',
    path: '/x/recordings/{id}',
    summary: 'what was recorded so far',
    scopes: ['runtime'],
    params,
    replies: { 200: json(Recording, 'The recording.') },
    errors: ['not_found'],
  },
  screen: {
    id: 'recordings.screen',
    method: 'POST',
    path: '/x/recordings/{id}/screen',
    summary: 'a link to the page on which a person acts in a recording',
    scopes: ['runtime'],
    params,
    replies: { 201: json(ScreenLink, 'The link.') },
    errors: ['not_found', 'conflict'],
  },
  finish: {
    id: 'recordings.finish',
    method: 'POST',
    path: '/x/recordings/{id}/finish',
    summary: 'end a recording and keep what was recorded as a workflow',
    scopes: ['runtime'],
    params,
    replies: { 200: json(Recording, 'The recording, with the workflow that it became and what is not in it.') },
    errors: ['not_found', 'conflict'],
  },
  discard: {
    id: 'recordings.discard',
    method: 'DELETE',
    path: '/x/recordings/{id}',
    summary: 'end a recording and keep nothing of it',
    scopes: ['runtime'],
    params,
    replies: { 204: none('Nothing is left of it.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
