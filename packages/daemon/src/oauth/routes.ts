// Where the protocol speaks: outside /v1 and /x, each listener an issuer of its own (D18; RFC 8414, 9728, 7591, 7009, 7662).
import { AppError } from '@weft/contract';
import { findBearer, jsonAnswer, parseJsonBody, readBody } from '@weft/serve';
import type { Incoming, OpenRoute, Outgoing } from '@weft/serve';
import type { Identity } from '../auth/identity.ts';
import type { AuthorizePorts } from './authorize.ts';
import { authorizeEndpoint } from './authorize.ts';
import { OAuthError, answerProtocol, readForm, requireParameter, requireType } from './form.ts';

const REGISTRATION_BYTES_MAX = 16_384;

export interface OAuthRoutePorts extends AuthorizePorts {
  readonly identity: Pick<Identity, 'authenticate'>;
}

/** The open routes of OAuth, by path. */
export function oauthRoutes(ports: OAuthRoutePorts): Readonly<Record<string, OpenRoute>> {
  const get = (body: (origin: string) => object): OpenRoute => ({
    methods: ['GET'],
    answer: ({ own }) => jsonAnswer(200, body(own.origin)),
  });
  const post = (answer: (request: Incoming) => Promise<Outgoing>): OpenRoute => ({
    methods: ['POST'],
    answer: (request) => answerProtocol(() => answer(request)),
  });
  return {
    '/.well-known/oauth-authorization-server': get(serverMetadata),
    '/.well-known/oauth-protected-resource': get((origin) => resourceMetadata(origin, origin)),
    '/.well-known/oauth-protected-resource/mcp': get((origin) => resourceMetadata(origin, `${origin}/mcp`)),
    '/oauth/authorize': { methods: ['GET', 'POST'], isNavigable: true, answer: authorizeEndpoint(ports) },
    '/oauth/token': post((request) => token(request, ports)),
    '/oauth/register': post((request) => register(request, ports)),
    '/oauth/revoke': post((request) => revoke(request, ports)),
    '/oauth/introspect': post((request) => introspect(request, ports)),
  };
}

function serverMetadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    scopes_supported: ['run'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

function resourceMetadata(issuer: string, resource: string): object {
  return { resource, authorization_servers: [issuer], scopes_supported: ['run'], bearer_methods_supported: ['header'] };
}

async function token(request: Incoming, { grants, clients }: OAuthRoutePorts): Promise<Outgoing> {
  const form = await readForm(request);
  const grantType = requireParameter(form, 'grant_type');
  const clientId = requireParameter(form, 'client_id');
  if (!clients.find(clientId)) throw new OAuthError('invalid_client', 'This client is not registered here.', 401);
  const resource = form.get('resource');
  if (grantType === 'authorization_code')
    return jsonAnswer(
      200,
      grants.exchange({
        code: requireParameter(form, 'code'),
        clientId,
        redirectUri: requireParameter(form, 'redirect_uri'),
        verifier: requireParameter(form, 'code_verifier'),
        resource,
      }),
    );
  if (grantType === 'refresh_token') {
    if ((form.get('scope') ?? 'run') !== 'run') throw new OAuthError('invalid_scope', 'The only scope is run.');
    return jsonAnswer(200, grants.refresh(requireParameter(form, 'refresh_token'), clientId, resource));
  }
  throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
}

async function register(request: Incoming, { clients }: OAuthRoutePorts): Promise<Outgoing> {
  requireType(request, 'application/json');
  const bytes = await readBody(request.body, REGISTRATION_BYTES_MAX);
  let metadata: unknown;
  try {
    metadata = parseJsonBody(bytes);
  } catch (error) {
    if (error instanceof AppError) throw new OAuthError('invalid_client_metadata', error.message);
    throw error;
  }
  return jsonAnswer(201, clients.register(metadata));
}

/** 200 for unknown tokens too (RFC 7009, 2.2). */
async function revoke(request: Incoming, { grants }: OAuthRoutePorts): Promise<Outgoing> {
  const form = await readForm(request);
  grants.revokeToken(requireParameter(form, 'token'));
  return { status: 200, headers: {} };
}

async function introspect(request: Incoming, { grants, identity }: OAuthRoutePorts): Promise<Outgoing> {
  const bearer = findBearer(request);
  if (!bearer || identity.authenticate(bearer.text, request.own.origin)?.family !== 'wlt')
    throw new AppError('unauthorized', 'Only the runtime token (wlt_) may ask about others; send it as `Authorization: Bearer <token>`.');
  const form = await readForm(request);
  return jsonAnswer(200, grants.introspect(requireParameter(form, 'token')));
}
