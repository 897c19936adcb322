// Sends requests of a run over HTTP: counts them, fills in what is sealed at the last moment, and lets no secret go to another origin.
import { pacedFetcher } from '../crawl/hosts/paced-fetcher.ts';
import { PageError } from '../errors.ts';
import { actingIn } from '../ports.ts';
import type { FetchRequest, Page } from '../ports.ts';
import { RunFault } from './fault.ts';
import type { Masker } from './masker.ts';
import type { RunCookies, WorkflowPorts } from './ports.ts';
import { FILE_MARK } from './template/render.ts';
import { SealedText, isMembers, membersFrom, textOf } from './value.ts';
import type { RunValue, SealedReference } from './value.ts';

/** One request before anything sealed in it is known. */
export interface Asked {
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  readonly headers?: Readonly<Record<string, string | SealedText>> | undefined;
  readonly body?: AskedBody | undefined;
  readonly follow?: boolean | undefined;
  readonly bytesMax?: number | undefined;
}

/** A body by what it is made of. Texts `file:ID` in a form of parts are files. */
export type AskedBody =
  | { readonly kind: 'text'; readonly text: string | SealedText }
  | { readonly kind: 'json'; readonly value: RunValue }
  | { readonly kind: 'form' | 'multipart'; readonly entries: readonly (readonly [name: string, value: string | SealedText])[] };

/** What stays the same over all requests of a run. */
export interface AskingState {
  readonly ports: WorkflowPorts;
  readonly masker: Masker;
  readonly cookies: RunCookies;
  readonly personaId: number | undefined;
  /** Counts a page. Throws RunFault where there are too many. */
  countPage(): void;
  noteRequest(request: LastRequest): void;
}

/** A request that was sent; the status is undefined where no answer came. */
export interface LastRequest {
  readonly method: string;
  readonly url: string;
  readonly status: number | undefined;
}

/** How long one request may take, and what stops it. */
export interface AskBounds {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The answer, whatever its status. Throws PageError, RunFault. */
export async function ask(asked: Asked, state: AskingState, bounds: AskBounds): Promise<Page> {
  const target = URL.parse(asked.url);
  if (!target || !/^https?:$/.test(target.protocol))
    throw new RunFault('input', `"${asked.url.slice(0, 200)}" is no http or https address.`);
  state.countPage();
  const opener = createOpener(target.origin, state, bounds.signal);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(asked.headers ?? {})) headers[name.toLowerCase()] = await opener.text(value);
  const body = asked.body && (await writeBody(asked.body, opener, state));
  const { ports, cookies } = state;
  const { method = 'GET' } = asked;
  const request: FetchRequest = {
    url: target.href,
    lane: 'http',
    method,
    ...(body ? { body: body.bytes } : {}),
    headers: {
      ...(body ? { 'content-type': body.contentType } : {}),
      ...headers,
    },
    cookies,
    timeoutMs: bounds.timeoutMs,
    ...(asked.bytesMax === undefined ? {} : { bodyBytesMax: asked.bytesMax }),
    ...actingIn(ports.acting),
    ...(asked.follow === false ? { followRedirects: false } : {}),
    privateTargets: ports.privateTargets,
    names: ports.names,
    beforeRedirect: async (next) => opener.requireOrigin(next),
  };
  let status: number | undefined;
  try {
    const page = await pacedFetcher(ports).fetch(request, bounds.signal);
    status = page.status;
    return page;
  } finally {
    state.noteRequest({ method, url: target.href, status });
  }
}

/** Looks up what is sealed, for one origin. */
interface Opener {
  text(value: string | SealedText): Promise<string>;
  value(value: RunValue): Promise<unknown>;
  /** Throws PageError `address` where something sealed is on its way and `url` is of another origin. */
  requireOrigin(url: string): void;
}

function createOpener(origin: string, { ports, masker, personaId }: AskingState, signal: AbortSignal): Opener {
  let hasOpened = false;
  const text = async (value: string | SealedText): Promise<string> => {
    if (typeof value === 'string') return value;
    hasOpened = true;
    const parts: string[] = [];
    for (const part of value.parts) {
      const opened = typeof part === 'string' ? part : await ports.reveal(part, origin, personaId, signal);
      if (typeof part !== 'string') remember(part, opened, masker);
      parts.push(opened);
    }
    return parts.join('');
  };
  const open = async (value: RunValue): Promise<unknown> => {
    if (value instanceof SealedText) return await text(value);
    if (Array.isArray(value)) return await Promise.all(value.map(open));
    if (!isMembers(value)) return value;
    // Members of a value of a run are values of a run.
    const members = Object.entries(value) as (readonly [string, RunValue])[];
    return membersFrom(await Promise.all(members.map(async ([name, inner]) => [name, await open(inner)] as const)));
  };
  return {
    text,
    value: open,
    requireOrigin(url) {
      if (!hasOpened || URL.parse(url)?.origin === origin) return;
      throw new PageError(
        'address',
        `${origin} redirects to ${URL.parse(url)?.origin ?? 'another place'}, and what was sent is for ${origin} alone.`,
        { url },
      );
    },
  };
}

function remember(reference: SealedReference, opened: string, masker: Masker): void {
  if (reference.kind === 'persona' && reference.field === 'username') masker.addName(opened);
  else masker.add(opened);
}

/** What is sealed in `text`, for `origin`: what a browser is about to type. */
export async function openText(text: string | SealedText, origin: string, state: AskingState, signal: AbortSignal): Promise<string> {
  return await createOpener(origin, state, signal).text(text);
}

interface WrittenBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

async function writeBody(body: AskedBody, opener: Opener, { ports }: AskingState): Promise<WrittenBody> {
  const encoder = new TextEncoder();
  if (body.kind === 'text') return { bytes: encoder.encode(await opener.text(body.text)), contentType: 'text/plain; charset=utf-8' };
  if (body.kind === 'json')
    return { bytes: encoder.encode(JSON.stringify(await opener.value(body.value))), contentType: 'application/json' };
  const entries: [string, string][] = [];
  for (const [name, value] of body.entries) entries.push([name, await opener.text(value)]);
  if (body.kind === 'form')
    return { bytes: encoder.encode(new URLSearchParams(entries).toString()), contentType: 'application/x-www-form-urlencoded' };
  return await writeParts(entries, ports);
}

/** RFC 7578, names escaped as browsers do (HTML, 4.10.22.8). */
async function writeParts(entries: readonly (readonly [string, string])[], ports: WorkflowPorts): Promise<WrittenBody> {
  const form = new FormData();
  for (const [name, value] of entries) {
    if (!value.startsWith(FILE_MARK)) {
      form.append(name, value);
      continue;
    }
    const file = await ports.readFile(value.slice(FILE_MARK.length));
    form.append(name, new Blob([Uint8Array.from(file.bytes)], { type: file.contentType }), file.name);
  }
  const written = new Response(form);
  return { bytes: new Uint8Array(await written.arrayBuffer()), contentType: written.headers.get('content-type') ?? 'multipart/form-data' };
}

/** `url` with `query` behind it. */
export function withQuery(url: string, query: readonly (readonly [name: string, value: string])[]): string {
  const target = URL.parse(url);
  if (!target || query.length === 0) return url;
  for (const [name, value] of query) target.searchParams.append(name, value);
  return target.href;
}

/** A value of a form as text; sealed ones stay so. */
export function sendable(value: RunValue): string | SealedText {
  return value instanceof SealedText ? value : textOf(value);
}
