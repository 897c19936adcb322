// A chain of filters as a monitor: what points at a part of the page becomes a selector, what changes text a step.
import type { TextStep } from '@weft/contract';
import type { Draft } from '../draft.ts';
import { escaped } from '../expressions.ts';
import { jsonPathOfJq } from '../jq.ts';
import type { Filter } from './filter-list.ts';

/** What the chain has come to so far. */
class Chain {
  readonly draft: Draft;
  readonly member: string;
  /** The part of the page that it has pointed at. */
  part: { readonly selector: string; readonly many: boolean } | undefined;
  /** The source of that part goes on, and not its text: until something makes text of it. */
  isSource = true;
  /** Only how the text is compared may follow. */
  isHashed = false;

  constructor(draft: Draft, member: string) {
    this.draft = draft;
    this.member = member;
  }

  at({ place, kind }: Filter): string {
    return `${this.member}[${place}].${kind}`;
  }

  /** No other filter may have worked on the text before, and only one points. */
  point(selector: string, filter: Filter, many = true): void {
    if (this.part || this.draft.steps.length > 0 || this.isHashed)
      return this.draft.pause(this.at(filter), 'It points into what an earlier filter left; write both as one selector.');
    this.part = { selector, many };
  }

  /** A step that works on text. */
  step(step: TextStep, filter: Filter): void {
    if (this.isHashed) return this.draft.pause(this.at(filter), 'It works on the hash of an earlier filter, which has no equivalent.');
    const written =
      'keep' in step ? step.keep : 'drop' in step ? step.drop : 'find' in step ? step.find : 'replace' in step ? [step.replace] : [];
    if (!written.every((phrase) => this.draft.canRead(phrase, this.at(filter)))) return;
    this.draft.steps.push(step);
  }
}

/** Reads the chain into the draft. */
export function readChain(filters: readonly Filter[], member: string, draft: Draft): void {
  const chain = new Chain(draft, member);
  for (const filter of filters) {
    const read = FILTERS[filter.kind];
    if (read) read(filter, chain);
    else draft.pause(chain.at(filter), 'This filter is not known here.');
  }
  finish(chain);
}

function finish({ draft, part, isSource, isHashed, member }: Chain): void {
  const type = isHashed ? 'hash' : isSource && draft.steps.length === 0 ? 'html' : 'text';
  if (isSource && draft.steps.length > 0)
    draft.leave(member, 'Its filters work on the source of the page; here they work on its text, which is the same for what is no HTML.');
  if (part) draft.select(part.selector, member, /^(?:jsonpath)\//.test(part.selector) || type === 'text' ? [] : [{ type }], part.many);
  else if (isHashed) draft.select('css/html', member, [{ type }], false);
}

type Read = (filter: Filter, chain: Chain) => void;

const nothing: Read = () => undefined;
const asText: Read = (_filter, chain) => void (chain.isSource = false);
const without =
  (message: string): Read =>
  (filter, chain) =>
    chain.draft.pause(chain.at(filter), message);
const told =
  (message: string): Read =>
  (filter, chain) =>
    chain.draft.leave(chain.at(filter), message);
const refused = without('Commands are not run.');
const hashed: Read = (_filter, chain) => void (chain.isHashed = true);

const FILTERS: Readonly<Record<string, Read>> = {
  absolute_links: told('Addresses are compared as the page has them.'),
  ascii85: without('It writes the page in another way, which has no equivalent.'),
  base64: without('It writes the page in another way, which has no equivalent.'),
  beautify: told('The source is compared as it is.'),
  between: without('It keeps the lines between two others; select the part of the page instead.'),
  css: (filter, chain) => elements(filter, chain, `css/${text(filter, 'selector')}`),
  csv2text: without('It writes rows as sentences; watch the text of the table, or a `list`.'),
  delete_lines_containing: (filter, chain) => chain.step({ drop: [phraseIn(filter)] }, filter),
  'element-by-class': (filter, chain) => chain.point(`css/[class=${quoted(filter, 'class')}]`, filter),
  'element-by-id': (filter, chain) => chain.point(`css/[id=${quoted(filter, 'id')}]`, filter),
  'element-by-style': (filter, chain) => chain.point(`css/[style=${quoted(filter, 'style')}]`, filter),
  'element-by-tag': (filter, chain) => chain.point(`css/${text(filter, 'tag')}`, filter),
  execute: refused,
  'format-json': asText,
  'format-xml': nothing,
  grep: (filter, chain) => chain.step({ keep: [expression(text(filter, 're'))] }, filter),
  grepi: (filter, chain) => chain.step({ drop: [expression(text(filter, 're'))] }, filter),
  hexdump: without('It writes the page in another way, which has no equivalent.'),
  html2text: asText,
  ical2text: without('Calendars are read as the text that they are.'),
  jq: (filter, chain) => json(filter, chain),
  jsontoyaml: asText,
  keep_lines_containing: (filter, chain) => chain.step({ keep: [phraseIn(filter)] }, filter),
  ocr: without('Texts in pictures are not read; `image_hash` tells pictures apart.'),
  pdf2text: document,
  'pretty-xml': nothing,
  pypdf: document,
  're.findall': (filter, chain) => {
    const as = filter.options['repl'] === undefined ? '$0' : replacement(text(filter, 'repl'));
    chain.step({ find: [expression(text(filter, 'pattern'))], as }, filter);
  },
  're.sub': (filter, chain) =>
    chain.step({ replace: expression(text(filter, 'pattern')), with: replacement(text(filter, 'repl')) }, filter),
  'remove-duplicate-lines': (filter, chain) => chain.step({ unique: true, ...separatorOf(filter) }, filter),
  remove_repeated: without('It leaves out what repeats its neighbour; `unique` leaves out what was there before.'),
  reverse: (filter, chain) => chain.step({ reverse: true, ...separatorOf(filter) }, filter),
  sha1sum: hashed,
  sha256sum: hashed,
  shellpipe: refused,
  sort: (filter, chain) => chain.step({ sort: filter.options['reverse'] === true ? 'down' : 'up', ...separatorOf(filter) }, filter),
  strip: (filter, chain) => {
    if (filter.options['chars'] !== undefined)
      chain.draft.pause(chain.at(filter), 'It takes away other characters than white space; use a step that replaces them.');
  },
  striplines: nothing,
  xpath: (filter, chain) => elements(filter, chain, `xpath/${sliced(text(filter, 'path'), filter)}`),
};

/** Documents are read by what they are. */
function document(filter: Filter, chain: Chain): void {
  chain.isSource = false;
  if (filter.options['password'] !== undefined) chain.draft.pause(chain.at(filter), 'Documents with a password are not opened.');
}

/** Elements, without those that are excluded. */
function elements(filter: Filter, chain: Chain, selector: string): void {
  const { exclude, sort } = filter.options;
  const isCss = selector.startsWith('css/');
  const [skip, most] = [countIn(filter, 'skip'), countIn(filter, 'maxitems')];
  if (isCss && (skip > 0 || most > 1))
    chain.draft.pause(
      chain.at(filter),
      'Some of the matches are not told by their number in CSS; write it as XPath, or with :nth-of-type().',
    );
  chain.point(isCss ? plainPrefixes(selector) : selector, filter, !(isCss && skip === 0 && most === 1));
  if (!isCss && alternativesOf(text(filter, 'path')).every(isText)) chain.isSource = false;
  if (typeof exclude === 'string') leaveOut(exclude, isCss, filter, chain);
  if (sort === true) chain.step({ sort: 'up' }, filter);
}

/** Elements can be taken out of a page, attributes can't. */
function leaveOut(exclude: string, isCss: boolean, filter: Filter, chain: Chain): void {
  if (isCss) return chain.draft.subtract(`css/${plainPrefixes(exclude)}`, chain.at(filter));
  for (const one of alternativesOf(exclude)) {
    if (isText(one)) chain.draft.pause(chain.at(filter), 'Texts and attributes of elements can not be taken out of a page, elements can.');
    else chain.draft.subtract(`xpath/${one}`, chain.at(filter));
  }
}

/** The parts of an XPath between its bars, outside of brackets and quotes. */
function alternativesOf(path: string): readonly string[] {
  const parts = path.match(/(?:"[^"]*"|'[^']*'|\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]|[^|"'[])+/g) ?? [path];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Whether an XPath finds texts, attributes or what a function computes, and no elements. */
function isText(path: string): boolean {
  return /(?:text\(\)|@[\w:.-]+|@\*)\s*\)?$/.test(path) || /^[a-z][\w-]*\(/.test(path);
}

/** `f|year` of a namespace: names are compared as they are written, with their prefix. */
function plainPrefixes(css: string): string {
  return css.replaceAll(/([\w-]+)\|([\w-]+)/g, '$1\\:$2');
}

/** The matches from `skip` on, at most `maxitems`. */
function sliced(path: string, filter: Filter): string {
  const [skip, most] = [countIn(filter, 'skip'), countIn(filter, 'maxitems')];
  if (skip === 0 && most === 0) return path;
  const bounds = [...(skip > 0 ? [`position() > ${skip}`] : []), ...(most > 0 ? [`position() <= ${skip + most}`] : [])];
  return `(${path})[${bounds.join(' and ')}]`;
}

/** A program that only points. */
function json(filter: Filter, chain: Chain): void {
  const path = jsonPathOfJq(text(filter, 'query'));
  chain.isSource = false;
  if (path === undefined)
    chain.draft.pause(chain.at(filter), 'This jq program computes, and has no equivalent; point at the value with jsonpath/.');
  else chain.point(`jsonpath/${path}`, filter);
}

function text({ options }: Filter, name: string): string {
  const value = options[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function countIn({ options }: Filter, name: string): number {
  const count = Number(options[name] ?? 0);
  return Number.isInteger(count) && count > 0 ? count : 0;
}

function quoted(filter: Filter, name: string): string {
  return `"${text(filter, name).replaceAll(/["\\]/g, '\\$&')}"`;
}

function phraseIn(filter: Filter): string {
  return filter.options['re'] === undefined ? `/${escaped(text(filter, 'text'))}/` : expression(text(filter, 're'));
}

/** An expression of Python; octal characters are its own. */
function expression(pattern: string): string {
  return `/${pattern.replaceAll(/\\0([0-7]{1,2})/g, (_all, octal: string) => `\\x{${Number.parseInt(octal, 8).toString(16)}}`)}/`;
}

/** `\1` and `\g<1>` become `$1`. */
function replacement(repl: string): string {
  return repl
    .replaceAll('$', '$$$$')
    .replaceAll(/\\g<(\d{1,2})>|\\(\d{1,2})/g, (_all, long: string | undefined, short: string | undefined) => `$${long ?? short ?? 0}`)
    .replaceAll(/\\n/g, '\n')
    .replaceAll(/\\t/g, '\t')
    .replaceAll(/\\\\/g, '\\');
}

function separatorOf({ options }: Filter): { readonly separator?: string } {
  const { separator } = options;
  return typeof separator === 'string' && separator !== '' && separator !== '\n' ? { separator } : {};
}
