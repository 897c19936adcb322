// Reads JSON and JSON lines: pretty text, and records from the largest array of objects.
import { fencedCode } from '../markdown/handlers/code.ts';
import type { DocumentLink, DocumentRecords, Reading } from './readable.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Looking for records ends below this depth. */
const DEPTH_MAX = 64;
const LINKS_MAX = 10_000;
const ADDRESS = /^https?:\/\/\S+$/;

/** The reading of `text`; undefined when it is neither JSON nor one JSON value per line. */
export function readJson(text: string): Reading | undefined {
  const parsed = parseJsonText(text);
  if (parsed === undefined) return undefined;
  const { records, links } = surveyOf(parsed.value);
  return { markdown: `${fencedCode(prettyJson(parsed.value, text), 'json').join('\n')}\n`, records: records ? [records] : [], links };
}

/** The value of a JSON text, or the list of those of JSON lines; undefined when it is neither. */
export function parseJsonText(text: string): { readonly value: unknown } | undefined {
  return parseJson(text) ?? parseLines(text);
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) };
  } catch {
    return undefined;
  }
}

function parseLines(text: string): { readonly value: unknown } | undefined {
  const values: unknown[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    if (!parsed || !isObject(parsed.value)) return undefined;
    values.push(parsed.value);
  }
  return values.length > 0 ? { value: values } : undefined;
}

/** JSON that nests too deeply to be written again stays as it came. */
function prettyJson(value: unknown, text: string): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return text;
  }
}

/** The largest array of objects, its JSONPath as source, and every http(s) address. */
function surveyOf(root: unknown): { readonly records: DocumentRecords | undefined; readonly links: readonly DocumentLink[] } {
  let records: DocumentRecords | undefined;
  const links = new Map<string, DocumentLink>();
  const pending: { value: object; path: string; depth: number }[] = isContainer(root) ? [{ value: root, path: '$', depth: 0 }] : [];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path, depth } = next;
    if (Array.isArray(value)) {
      const items = value.filter(isObject);
      if (items.length > (records?.items.length ?? 0)) records = { source: path, items };
    }
    for (const [key, child] of Object.entries(value).toReversed()) {
      if (typeof child === 'string' && links.size < LINKS_MAX && ADDRESS.test(child)) links.set(child, { url: child, text: '' });
      else if (isContainer(child) && depth < DEPTH_MAX) pending.push({ value: child, path: pathOf(path, key, value), depth: depth + 1 });
    }
  }
  return { records, links: [...links.values()] };
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** RFC 9535: a member by its name, an element by its index. */
function pathOf(path: string, key: string, parent: object): string {
  if (Array.isArray(parent)) return `${path}[${key}]`;
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
