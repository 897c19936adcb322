// Beyond the specification: what runs ask of persons.
import { z } from 'zod';
import { runIdText } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';
import { ScreenLink } from '../recordings/screen.ts';
import { Run, RunQuestion } from './run.ts';

const params = z.strictObject({ id: runIdText });

export const runs = {
  question: {
    id: 'runs.question',
    method: 'GET',
    path: '/x/runs/{id}/question',
    summary: 'what a run waits for a person to do',
    scopes: ['read', 'run:own'],
    params,
    replies: { 200: json(RunQuestion, 'The question; `waits` is false where there is none.') },
    errors: ['not_found'],
    owned: 'run',
  },
  answer: {
    id: 'runs.answer',
    method: 'POST',
    path: '/x/runs/{id}/answer',
    summary: 'tell a run that waits what it waits for',
    scopes: ['run:own'],
    params,
    body: z.strictObject({ text: z.string().max(1000).optional().describe('A code, or a word; `done` unless said.') }),
    isBodyOptional: true,
    replies: { 200: json(Run, 'The run goes on.') },
    errors: ['not_found', 'conflict'],
    owned: 'run',
  },
  screen: {
    id: 'runs.screen',
    method: 'POST',
    path: '/x/runs/{id}/screen',
    summary: 'a link to the page on which a person acts in the browser of a run that waits',
    scopes: ['runtime'],
    params,
    replies: { 201: json(ScreenLink, 'The link.') },
    errors: ['not_found', 'conflict'],
  },
} as const satisfies OperationGroup;
