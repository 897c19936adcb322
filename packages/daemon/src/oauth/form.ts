// What requests of the protocol carry: forms, and refusals in its own words (RFC 6749, 5.2).
import { findHeader, jsonAnswer, readBody } from '@weft/serve';
import type { Incoming, Outgoing } from '@weft/serve';

const FORM_BYTES_MAX = 32_768;

/** A refusal that a program reads. */
export class OAuthError extends Error {
  readonly code: string;
  readonly status: 400 | 401;

  constructor(code: string, message: string, status: 400 | 401 = 400) {
    super(message);
    this.name = 'OAuthError';
    this.code = code;
    this.status = status;
  }
}

/** Parameters by name. Throws OAuthError `invalid_request` for one that stands twice (RFC 6749, 3.1). */
export function readParameters(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (found.has(name)) throw new OAuthError('invalid_request', `The parameter "${name.slice(0, 40)}" stands twice.`);
    // An empty value is one that was left out (RFC 6749, 3.1).
    if (value !== '') found.set(name, value);
  }
  return found;
}

/** The form in the body. Throws OAuthError `invalid_request` for another type of body, and TransportError for its size. */
export async function readForm(request: Incoming): Promise<ReadonlyMap<string, string>> {
  requireType(request, 'application/x-www-form-urlencoded');
  return readParameters(new TextDecoder().decode(await readBody(request.body, FORM_BYTES_MAX)));
}

/** Throws OAuthError `invalid_request` where the body is said to be something else. */
export function requireType(request: Incoming, type: string): void {
  const given = (findHeader(request, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (given !== type) throw new OAuthError('invalid_request', `The body must be ${type}.`);
}

/** The value of a parameter that must be there. Throws OAuthError `invalid_request`. */
export function requireParameter(form: ReadonlyMap<string, string>, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter "${name}" is missing.`);
  return value;
}

/** The answer of `answer`, or of the OAuthError that it throws. */
export async function answerProtocol(answer: () => Promise<Outgoing>): Promise<Outgoing> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return jsonAnswer(error.status, { error: error.code, error_description: error.message });
  }
}
