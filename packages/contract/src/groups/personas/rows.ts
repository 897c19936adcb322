// Group Personas (D34).
import { z } from 'zod';
import { listQuery, rowIdText } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { json, list, none } from '../../replies.ts';
import { FeedRun } from '../runs/run.ts';
import { LoginTest, TestLogin } from './login-test.ts';
import { NewPersona, Persona, PersonaPatch, TotpReport, ValidateTotp } from './persona.ts';

const params = z.strictObject({ id: rowIdText });

export const personas = {
  list: {
    id: 'personas.list',
    method: 'GET',
    path: '/v1/personas',
    summary: 'list personas',
    scopes: ['read'],
    query: z.strictObject(listQuery),
    replies: { 200: list(Persona, 'Personas, newest first.') },
  },
  create: {
    id: 'personas.create',
    method: 'POST',
    path: '/v1/personas',
    summary: 'create a persona',
    scopes: ['admin'],
    body: NewPersona,
    replies: { 201: json(Persona, 'The persona; its values are sealed.') },
    errors: ['conflict', 'vault_locked'],
    idempotency: 'replay',
  },
  read: {
    id: 'personas.read',
    method: 'GET',
    path: '/v1/personas/{id}',
    summary: 'read a persona',
    scopes: ['read'],
    params,
    replies: { 200: json(Persona, 'What is told of it.') },
    errors: ['not_found'],
  },
  update: {
    id: 'personas.update',
    method: 'PATCH',
    path: '/v1/personas/{id}',
    summary: 'update a persona',
    scopes: ['admin'],
    params,
    body: PersonaPatch,
    replies: { 200: json(Persona, 'The persona as it is now.') },
    errors: ['not_found', 'vault_locked'],
  },
  delete: {
    id: 'personas.delete',
    method: 'DELETE',
    path: '/v1/personas/{id}',
    summary: 'delete a persona',
    scopes: ['admin'],
    params,
    replies: { 204: none('It is gone with its values and sessions, and its live runs are cancelled.') },
    errors: ['not_found', 'vault_locked'],
  },
  runs: {
    id: 'personas.runs',
    method: 'GET',
    path: '/v1/personas/{id}/runs',
    summary: 'recent runs that acted as this persona',
    scopes: ['read'],
    params,
    query: z.strictObject(listQuery),
    replies: { 200: list(FeedRun, 'Runs, newest first.') },
    errors: ['not_found'],
  },
  test2fa: {
    id: 'personas.test2fa',
    method: 'POST',
    path: '/v1/personas/{id}/test-2fa',
    summary: "test the persona's two-factor setup",
    scopes: ['admin'],
    params,
    body: TestLogin,
    isBodyOptional: true,
    replies: { 200: json(LoginTest, 'How far the login came; one that does not work is a normal answer.') },
    errors: ['not_found', 'captcha_required', 'vault_locked'],
  },
  validateTotp: {
    id: 'personas.validateTotp',
    method: 'POST',
    path: '/v1/personas/validate-totp',
    summary: 'validate a TOTP seed',
    scopes: ['admin'],
    body: ValidateTotp,
    replies: { 200: json(TotpReport, 'Whether it is a seed, and of which kind; what is wrong with it is an answer too.') },
  },
} as const satisfies OperationGroup;
