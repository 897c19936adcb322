// The authorization endpoint (RFC 6749, 4.1.1; RFC 7636; RFC 8707; RFC 9207): a page for a person, and where it leads.
import { randomBytes } from 'node:crypto';
import type { CrawlClock } from '@weft/engine';
import { splitTarget } from '@weft/serve';
import type { Incoming, Outgoing } from '@weft/serve';
import type { Approvals } from './approval.ts';
import type { OAuthClients } from './client.ts';
import { consentPage, refusalPage } from './consent-page.ts';
import { OAuthError, readForm, readParameters } from './form.ts';
import type { Approved, OAuthGrants } from './grant.ts';
import { isRegistered } from './redirect.ts';

export interface AuthorizePorts {
  readonly clients: OAuthClients;
  readonly grants: OAuthGrants;
  readonly approvals: Approvals;
  readonly clock: CrawlClock;
}

/** A request that waits for its decision. */
interface Pending extends Approved {
  readonly clientName: string;
  readonly state: string | undefined;
  readonly issuer: string;
  readonly untilMs: number;
}

const PENDING_MS = 600_000;
/** The oldest make room: whoever floods the page has no code for it. */
const PENDING_MAX = 50;
/** 43 characters of base64url: a SHA-256 (RFC 7636, 4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const STATE_LENGTH_MAX = 4096;

/** Answers GET with the page, and POST with where the decision leads. */
export function authorizeEndpoint(ports: AuthorizePorts): (request: Incoming) => Promise<Outgoing> {
  const pending = new Map<string, Pending>();
  return async (request) => {
    try {
      return request.method === 'POST' ? await decide(request, pending, ports) : ask(request, pending, ports);
    } catch (error) {
      if (error instanceof OAuthError) return refusalPage(error.message);
      throw error;
    }
  };
}

function ask(request: Incoming, pending: Map<string, Pending>, { clients, clock }: AuthorizePorts): Outgoing {
  const asked = readParameters(splitTarget(request.target)[1]);
  const client = clients.find(asked.get('client_id') ?? '');
  if (!client) return refusalPage('The program that sent you here is not registered with this agent (client_id).');
  const redirectUri = asked.get('redirect_uri') ?? (client.redirectUris.length === 1 ? client.redirectUris[0] : undefined);
  // Nobody is sent to an address that the program has not registered (RFC 9700, 4.11).
  if (redirectUri === undefined || !isRegistered(client.redirectUris, redirectUri))
    return refusalPage('The program asks to be answered at an address that it has not registered (redirect_uri).');
  const issuer = request.own.origin;
  const state = asked.get('state');
  try {
    const approved = { clientId: client.id, redirectUri, ...readWish(asked, issuer) };
    const requestId = randomBytes(32).toString('base64url');
    forgetOld(pending, clock);
    pending.set(requestId, { ...approved, clientName: client.name, state, issuer, untilMs: clock.steadyMs() + PENDING_MS });
    return consentPage({ requestId, clientName: client.name, redirectUri, resource: approved.resource }, false);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return redirect(
      { redirectUri, state: state?.slice(0, STATE_LENGTH_MAX), issuer },
      { error: error.code, error_description: error.message },
    );
  }
}

/** What the program wishes for beside its address. Throws OAuthError. */
function readWish(asked: ReadonlyMap<string, string>, origin: string): Pick<Approved, 'challenge' | 'resource'> {
  if (asked.get('response_type') !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code.');
  if ((asked.get('scope') ?? 'run') !== 'run') throw new OAuthError('invalid_scope', 'The only scope is run.');
  if ((asked.get('state') ?? '').length > STATE_LENGTH_MAX)
    throw new OAuthError('invalid_request', `state has more than ${STATE_LENGTH_MAX} characters.`);
  const challenge = asked.get('code_challenge') ?? '';
  if (asked.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge))
    throw new OAuthError('invalid_request', 'A code_challenge with the method S256 is needed.');
  const resource = asked.get('resource') ?? origin;
  if (resource !== origin && resource !== `${origin}/` && resource !== `${origin}/mcp`)
    throw new OAuthError('invalid_target', `The resource must be ${origin} or ${origin}/mcp.`);
  return { challenge, resource };
}

async function decide(request: Incoming, pending: Map<string, Pending>, { grants, approvals, clock }: AuthorizePorts): Promise<Outgoing> {
  const form = await readForm(request);
  const requestId = form.get('request') ?? '';
  forgetOld(pending, clock);
  const found = pending.get(requestId);
  if (!found || found.issuer !== request.own.origin) return refusalPage('This page is too old, or was used before.');
  if (form.get('decision') === 'deny') {
    pending.delete(requestId);
    return redirect(found, { error: 'access_denied', error_description: 'The person denied it.' });
  }
  if (!approvals.spend(form.get('code') ?? '')) return consentPage({ requestId, ...found }, true);
  pending.delete(requestId);
  return redirect(found, { code: grants.issueCode(found) });
}

function forgetOld(pending: Map<string, Pending>, clock: CrawlClock): void {
  for (const [id, { untilMs }] of pending) if (untilMs <= clock.steadyMs() || pending.size >= PENDING_MAX) pending.delete(id);
}

function redirect(
  { redirectUri, state, issuer }: Pick<Pending, 'redirectUri' | 'state' | 'issuer'>,
  answer: Readonly<Record<string, string>>,
): Outgoing {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, ...(state === undefined ? {} : { state }), iss: issuer }))
    url.searchParams.append(name, value);
  return { status: 303, headers: { location: url.href } };
}
