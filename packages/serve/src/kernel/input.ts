// What a call brings: its body taken in and parsed, and every part checked against the operation's schemas.
import { AppError, LIMITS } from '@weft/contract';
import type { Operation } from '@weft/contract';
import { readBody } from '../wire/body.ts';
import { RpcError, TransportError } from '../wire/errors.ts';
import { parseJsonBody } from '../wire/json.ts';
import type { Incoming } from '../wire/message.ts';
import { findHeader } from '../wire/message.ts';
import { parsePart, printable, queryObject } from './validate.ts';

interface TakenBody {
  readonly bytes: Uint8Array;
  readonly value: unknown;
}

/** What a call brings that has no body. */
const NO_BODY: TakenBody = { bytes: new Uint8Array(), value: undefined };
/** What RFC 7396 calls the body of a PATCH that is merged. */
const MERGE_PATCH = 'application/merge-patch+json';
/** Codes of JSON-RPC 2.0, section 5.1. */
const RPC_FAULTS = { unparsed: -32_700, invalid: -32_600 };
const NO_QUERY: Readonly<Record<string, string>> = Object.freeze({});

/** Throws TransportError 413 for a body that says itself that it is too large; `operation` is undefined where none matches. */
export function refuseDeclaredSize(request: Incoming, operation: Operation | undefined): void {
  const declared = Number(findHeader(request, 'content-length') ?? 0);
  const bytesMax = bytesMaxOf(operation);
  if (declared > bytesMax)
    throw new TransportError(413, `The body is declared as ${declared} bytes; at most ${bytesMax} are accepted here.`);
}

function bytesMaxOf(operation: Operation | undefined): number {
  return operation?.bodyBytesMax ?? LIMITS.bodyBytesMax;
}

/** Everything that a call brings, checked; `bytes` is its body as sent. Throws AppError `bad_request`, TransportError, RpcError. */
export async function takeInput(request: Incoming, operation: Operation, params: Readonly<Record<string, string>>, search: string) {
  let fault = RPC_FAULTS.unparsed;
  try {
    const body = hasBody(request) ? await takeBody(request, operation) : NO_BODY;
    fault = RPC_FAULTS.invalid;
    return { bytes: body.bytes, ...parseInput(operation, params, search, body.value) };
  } catch (error) {
    if (operation.bodyType !== 'json-rpc' || !(error instanceof AppError)) throw error;
    throw new RpcError(fault, error.message);
  }
}

/** False for methods whose body, if there is one, is left unread. */
function hasBody({ method }: Incoming): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';
}

/** The body, read and parsed where the operation takes JSON; a multipart body is left for its handler. */
async function takeBody(request: Incoming, operation: Operation): Promise<TakenBody> {
  const mediaType = (findHeader(request, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  // Many clients name a type also where they send nothing.
  const mayBeAbsent = operation.isBodyOptional === true;
  if (!mayBeAbsent || mediaType !== '') requireMediaType(operation, mediaType);
  if (operation.bodyType === 'multipart') return NO_BODY;
  const bytes = await readBody(request.body, bytesMaxOf(operation));
  if (mayBeAbsent && bytes.byteLength === 0) return { bytes, value: {} };
  if (operation.body) return { bytes, value: parseJsonBody(bytes) };
  if (bytes.byteLength > 0 && Buffer.from(bytes).toString('latin1').trim() !== '{}')
    throw new AppError('bad_request', 'This operation takes no body.');
  return { bytes, value: undefined };
}

function requireMediaType(operation: Operation, mediaType: string | undefined): void {
  if (operation.bodyType === 'multipart') {
    if (mediaType !== 'multipart/form-data') throw new AppError('bad_request', 'Send this as multipart/form-data.');
  } else if (operation.body && mediaType !== 'application/json' && !(operation.method === 'PATCH' && mediaType === MERGE_PATCH))
    throw new AppError('bad_request', 'Send a JSON body with `Content-Type: application/json`.');
}

/** Path, query and body as the operation's schemas make them. Throws AppError `bad_request` for what they refuse. */
function parseInput(operation: Operation, params: Readonly<Record<string, string>>, search: string, body: unknown) {
  const query = search === '' ? NO_QUERY : queryObject(new URLSearchParams(search));
  if (!operation.query) refuseQuery(query);
  return {
    params: operation.params ? parsePart(operation.params, params, 'path') : undefined,
    query: operation.query ? parsePart(operation.query, query, 'query') : undefined,
    body: operation.body ? parsePart(operation.body, body, 'body') : undefined,
  };
}

function refuseQuery(query: Readonly<Record<string, string>>): void {
  const [unknown] = Object.keys(query);
  if (unknown !== undefined) throw new AppError('bad_request', `Unknown query parameter "${printable(unknown)}".`);
}

/** `Last-Event-ID` as a sequence number; anything else starts from the beginning. */
export function lastEventId(request: Incoming): number {
  const value = findHeader(request, 'last-event-id');
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : 0;
}
