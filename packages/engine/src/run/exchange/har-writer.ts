// Writes requests as steps, with the values that came from earlier answers taken from these anew.
import { parseJson } from '../../html/loose-json.ts';
import { isMembers } from '../value.ts';
import type { HarBody, HarEntry } from './har-entries.ts';
import { AnsweredValues, jsonOf, rowsIn } from './har-values.ts';
import type { ValueSource } from './har-values.ts';
import { PERSONA_CODE, PERSONA_PASSWORD, isOneTimeCode, isSecret } from './typed-values.ts';
import { literalTemplate } from './untrusted.ts';
import type { LeftOut } from './untrusted.ts';

/** A step that is not checked yet. */
export type Draft = Record<string, unknown> & { readonly id: string; readonly type: string };

const TEXT_MAX = 20_000;
/** Headers that say what is asked for; the others are the browser's own, and those of a run are its own. */
const KEPT_HEADER = /^(?:accept|authorization|x-.*)$/;
const SEALED_HEADER = /authorization|token|key|secret|session|auth/;
const BROWSER_HEADER = /^x-(?:client-data|forwarded-|real-ip|devtools)/;

/** How steps are called, and which values are known from elsewhere than answers. */
export interface HarWriting {
  /** Steps are called so, with a number behind it; `r` unless said. */
  readonly prefix?: string;
  /** The template of a value that a run is given; undefined for any other. */
  known?(value: string): string | undefined;
}

/** The steps of one archive. */
export class HarWriter {
  readonly steps: Draft[] = [];
  readonly leftOut: LeftOut[] = [];
  private readonly values = new AnsweredValues();
  private readonly cookieHosts = new Set<string>();
  private last: { readonly entry: HarEntry; readonly id: string } | undefined;
  private count = 0;
  private readonly writing: HarWriting;

  constructor(writing: HarWriting = {}) {
    this.writing = writing;
  }

  add(entry: HarEntry): void {
    this.count += 1;
    const id = `${this.writing.prefix ?? 'r'}${this.count}`;
    this.tellCookies(entry);
    const body = this.bodyOf(entry);
    if (body === undefined) {
      this.leftOut.push({
        path: entry.path,
        message: `The request to ${shown(entry.url)} is left out: it sent more than ${TEXT_MAX} characters.`,
      });
      return;
    }
    const { method, status } = entry;
    const headers = this.headersOf(entry, body);
    this.steps.push({
      id,
      type: 'request',
      ...(method === 'GET' ? {} : { method }),
      url: this.urlOf(entry.url),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...body.members,
      ...((status >= 200 && status < 300) || status === 304 ? {} : { expect_status: [status] }),
    });
    this.values.add(entry, id);
    this.last = { entry, id };
  }

  /** All steps; what the last answer lists becomes the run's rows. */
  finish(): readonly Draft[] {
    const rows = this.last && rowsIn(jsonOf(this.last.entry));
    return rows === undefined
      ? this.steps
      : [...this.steps, { id: 'rows', type: 'emit', rows: `{{steps.${this.last?.id ?? ''}.out.${rows}}}` }];
  }

  private tellCookies({ url, headers, path, answer }: HarEntry): void {
    const isNew = !this.cookieHosts.has(url.host);
    if (answer.headers.has('set-cookie')) this.cookieHosts.add(url.host);
    if (!isNew || !headers.has('cookie')) return;
    this.cookieHosts.add(url.host);
    this.leftOut.push({ path, message: `The cookies that ${url.host} had been sent before are left out: let the workflow log in first.` });
  }

  private urlOf({ origin, pathname, searchParams }: URL): string {
    const path = pathname
      .split('/')
      .map((segment) => this.reference(decoded(segment)) ?? literalTemplate(segment))
      .join('/');
    const query = [...searchParams].map(
      ([name, value]) => `${encodeURIComponent(name)}=${this.reference(value) ?? encodeURIComponent(value)}`,
    );
    return `${origin}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  }

  private headersOf({ headers, url, path }: HarEntry, { contentType }: DraftBody): Record<string, string> {
    const kept: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
    for (const [name, value] of headers) {
      if (!KEPT_HEADER.test(name) || BROWSER_HEADER.test(name) || value.length > TEXT_MAX) continue;
      const [, scheme = '', rest = value] = /^(Bearer |Token |Basic )(.*)$/i.exec(value) ?? [];
      const reference = this.reference(rest);
      if (reference !== undefined) kept[name] = `${scheme}${reference}`;
      else if (!SEALED_HEADER.test(name)) kept[name] = literalTemplate(value);
      else
        this.leftOut.push({
          path,
          message: `The header ${name} to ${shown(url)} is left out: no answer gave its value. Keep it as a secret, and send {{secret:KEY}}.`,
        });
    }
    return kept;
  }

  /** Undefined for one that is too large. */
  private bodyOf({ body, path, method }: HarEntry): DraftBody | undefined {
    if (!body || (body.text === '' && body.fields.length === 0) || method === 'GET' || method === 'HEAD') return { members: {} };
    if (body.text.length > TEXT_MAX) return undefined;
    // Scripts that say nothing of it send their JSON as text (Fetch, "extract a body").
    const isText = /^text\/plain/i.test(body.contentType);
    const json = /json/i.test(body.contentType) || (isText && /^\s*[[{]/.test(body.text)) ? parseJson(body.text) : undefined;
    if (json !== undefined) return { members: { json: this.jsonTemplate(json, '') }, ...(isText ? { contentType: body.contentType } : {}) };
    const fields = this.fieldsOf(body, path);
    if (fields) return { members: { [/^multipart/i.test(body.contentType) ? 'multipart' : 'form']: fields } };
    return { members: { body: literalTemplate(body.text) }, contentType: body.contentType || 'text/plain' };
  }

  /** Undefined where there are none, or one stands twice, which a record can't hold. */
  private fieldsOf({ fields }: HarBody, path: string): Record<string, string> | undefined {
    for (const { name, isFile } of fields)
      if (isFile)
        this.leftOut.push({ path, message: `The file of the field "${name}" is left out: keep it as a file, and send {{file:ID}}.` });
    const sent = fields.filter(({ isFile, name }) => !isFile && name !== '');
    if (sent.length === 0 || new Set(sent.map(({ name }) => name)).size < sent.length) return undefined;
    return Object.fromEntries(sent.map(({ name, value }) => [name, this.valueTemplate(name, value)]));
  }

  private jsonTemplate(value: unknown, name: string): unknown {
    if (typeof value === 'string') return this.valueTemplate(name, value);
    if (typeof value === 'number') return this.reference(String(value)) ?? value;
    if (Array.isArray(value)) return value.map((item) => this.jsonTemplate(item, name));
    if (!isMembers(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([member, item]) => [member, this.jsonTemplate(item, member)]));
  }

  private valueTemplate(name: string, value: string): string {
    if (value !== '' && isSecret({ value, hints: [name] })) return PERSONA_PASSWORD;
    if (isOneTimeCode({ value, hints: [name] })) return PERSONA_CODE;
    return this.reference(value) ?? literalTemplate(value);
  }

  /** A template that takes `value` from where it came from; undefined where no answer gave it. */
  private reference(value: string): string | undefined {
    const known = this.writing.known?.(value);
    if (known !== undefined) return known;
    const source = this.values.find(value);
    if (!source) return undefined;
    if (source.kind === 'answer') return `{{steps.${source.step}.out.${source.path}}}`;
    return `{{steps.${this.readPage(source)}.out.value}}`;
  }

  /** The step that reads a hidden field of a page, which is opened instead of asked for; made when it is first needed. */
  private readPage({ step, selector, attr }: ValueSource & { readonly kind: 'page' }): string {
    const at = this.steps.findIndex(({ id }) => id === step);
    const asked = this.steps[at];
    if (asked?.type === 'request' && asked['method'] === undefined) this.steps[at] = { id: step, type: 'navigate', url: asked['url'] };
    const known = this.steps.find((each) => each['title'] === `${selector} of ${step}`);
    if (known) return known.id;
    const id = `${step}_${this.steps.filter((each) => each.id.startsWith(`${step}_`)).length + 1}`;
    const fields = { value: { selectors: [selector], attr, required: true } };
    this.steps.splice(at + 1, 0, { id, type: 'extract', title: `${selector} of ${step}`, fields });
    return id;
  }
}

interface DraftBody {
  readonly members: Readonly<Record<string, unknown>>;
  /** Where it is not told by the kind of the body. */
  readonly contentType?: string;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Without its query, which may hold what nobody should read. */
function shown({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.slice(0, 200);
}
