// A program and the person who lets it in, step by step, over the agent's kernel.
import { createHash } from 'node:crypto';
import type { OAuthApproval } from '@weft/contract';
import type { KernelAgent, KernelCall } from './kernel.ts';
import { OWN } from './kernel.ts';

export const REDIRECT = 'http://127.0.0.1:7000/callback';
export const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** As a browser sends it where the person came from another site. */
const NAVIGATION = ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Dest', 'document'];

type Fields = Readonly<Record<string, string | undefined>>;

/** Defined fields as a form or a query writes them. */
export function encode(fields: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, value);
  return query.toString();
}

export const form = (target: string, fields: Fields, headers: readonly string[] = []): KernelCall => ({
  method: 'POST',
  target,
  headers: ['Content-Type', 'application/x-www-form-urlencoded', ...headers],
  body: encode(fields),
});

/** Registers a program; its id. */
export async function register(agent: KernelAgent, metadata: object = {}): Promise<string> {
  const response = await agent.call({
    method: 'POST',
    target: '/oauth/register',
    body: { client_name: 'Planner', redirect_uris: ['http://127.0.0.1/callback'], ...metadata },
  });
  return ((await response.json()) as { client_id: string }).client_id;
}

/** What a program leads the person's browser to. */
export function authorizeCall(clientId: string, more: Fields = {}, headers: readonly string[] = NAVIGATION): KernelCall {
  const query = encode({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    scope: 'run',
    state: 'a state & more',
    ...more,
  });
  return { target: `/oauth/authorize?${query}`, headers };
}

/** The hidden field of the page that `call` answers with. */
export async function requestIdOf(agent: KernelAgent, call: KernelCall): Promise<string> {
  return /name="request" value="([^"]+)"/.exec(await (await agent.call(call)).text())?.[1] ?? '';
}

/** What `weft oauth approve` prints. */
export async function approvalOf(agent: KernelAgent): Promise<string> {
  return ((await agent.json('POST', '/x/oauth/approvals')).body as OAuthApproval).code;
}

/** Sends the page's form as a browser does. */
export async function decide(agent: KernelAgent, fields: Fields, headers: readonly string[] = []): Promise<Response> {
  return await agent.call(
    form('/oauth/authorize', { decision: 'approve', ...fields }, ['Origin', OWN.origin, 'Sec-Fetch-Site', 'same-origin', ...headers]),
  );
}

/** An authorization code for the program. */
export async function codeFor(agent: KernelAgent, clientId: string, more: Fields = {}): Promise<string> {
  const request = await requestIdOf(agent, authorizeCall(clientId, more));
  const answer = await decide(agent, { request, code: await approvalOf(agent) });
  return new URL(answer.headers.get('location') ?? 'http://none/').searchParams.get('code') ?? '';
}

export interface TokenAnswer {
  readonly status: number;
  readonly body: {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly error?: string;
    readonly [name: string]: unknown;
  };
}

/** Asks the token endpoint to exchange a code. */
export async function exchange(agent: KernelAgent, clientId: string, code: string, more: Fields = {}): Promise<TokenAnswer> {
  return await tokenAnswer(agent, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...more,
  });
}

export async function tokenAnswer(agent: KernelAgent, fields: Fields): Promise<TokenAnswer> {
  const response = await agent.call(form('/oauth/token', fields));
  return { status: response.status, body: (await response.json()) as TokenAnswer['body'] };
}

/** A new program that was let in, and its tokens. */
export async function letIn(agent: KernelAgent): Promise<TokenAnswer['body'] & { readonly clientId: string }> {
  const clientId = await register(agent);
  const { body } = await exchange(agent, clientId, await codeFor(agent, clientId));
  return { ...body, clientId };
}
