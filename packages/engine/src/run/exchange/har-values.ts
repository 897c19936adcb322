// Finds out where a value that was sent came from: an earlier answer that held the same.
import { isTag } from 'domhandler';
import { parseJson } from '../../html/loose-json.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import { quoteString } from '../../html/selectors/css-path.ts';
import { parseTree } from '../../html/tree.ts';
import { attribute, elementsBelow } from '../../html/walk.ts';
import { isMembers } from '../value.ts';
import type { HarEntry } from './har-entries.ts';

/** Where a value stands in an answer: what a template calls it, or the hidden field of a page. */
export type ValueSource =
  | { readonly kind: 'answer'; readonly step: string; readonly path: string }
  | { readonly kind: 'page'; readonly step: string; readonly selector: string; readonly attr: 'value' | 'content' };

/** A shorter value is as likely to be the same by chance: a number of a page, a flag, a word. */
const CHARACTERS_MIN = 6;
const LEAVES_MAX = 20_000;
const DEPTH_MAX = 16;

/** The values of the answers so far. */
export class AnsweredValues {
  private readonly sources = new Map<string, ValueSource>();

  /** Adds what `entry`, asked by `step`, was answered; the newest answer that holds a value is where it came from. */
  add(entry: HarEntry, step: string): void {
    const { contentType, text, headers } = entry.answer;
    for (const [name, value] of headers) if (name.startsWith('x-')) this.keep(value, { kind: 'answer', step, path: `headers["${name}"]` });
    if (/html/i.test(contentType)) this.addPage(text, entry.url.href, step);
    else this.addJson(jsonOf(entry), step);
  }

  /** Where `value` came from; undefined where no answer holds it, or where it is too short to tell. */
  find(value: string): ValueSource | undefined {
    return value.length < CHARACTERS_MIN ? undefined : this.sources.get(value);
  }

  private keep(value: string, source: ValueSource): void {
    if (value.length >= CHARACTERS_MIN) this.sources.set(value, source);
  }

  private addPage(html: string, url: string, step: string): void {
    for (const element of elementsBelow(parseTree(html, url).root)) {
      if (!isTag(element)) continue;
      const name = attribute(element, 'name');
      if (name === undefined) continue;
      const attr = element.name === 'meta' ? 'content' : element.name === 'input' ? 'value' : undefined;
      const value = attr && attribute(element, attr);
      if (attr && value !== undefined)
        this.keep(value, { kind: 'page', step, selector: `${element.name}[name=${quoteString(name)}]`, attr });
    }
  }

  private addJson(root: JsonValue | undefined, step: string): void {
    let leaves = 0;
    const visit = (value: unknown, path: string, depth: number): void => {
      if (leaves >= LEAVES_MAX || depth > DEPTH_MAX) return;
      if (typeof value === 'string' || typeof value === 'number') {
        leaves += 1;
        this.keep(String(value), { kind: 'answer', step, path });
      } else if (Array.isArray(value)) value.forEach((item, place) => visit(item, `${path}[${place}]`, depth + 1));
      else if (isMembers(value))
        for (const [name, item] of Object.entries(value)) if (isPathName(name)) visit(item, memberPath(path, name), depth + 1);
    };
    if (root !== undefined) visit(root, 'json', 0);
  }
}

/** The JSON that was answered; undefined for something else. */
export function jsonOf({ answer }: HarEntry): JsonValue | undefined {
  return /json/i.test(answer.contentType) ? parseJson(answer.text) : undefined;
}

/** The longest list of objects in an answer, as a template calls it; undefined for one without a list of at least two. */
export function rowsIn(root: JsonValue | undefined): string | undefined {
  let best: { path: string; length: number } | undefined;
  const visit = (value: unknown, path: string, depth: number): void => {
    if (depth > DEPTH_MAX) return;
    if (Array.isArray(value)) {
      if (value.length > Math.max(best?.length ?? 0, 1) && value.every(isMembers)) best = { path, length: value.length };
    } else if (isMembers(value))
      for (const [name, item] of Object.entries(value)) if (isPathName(name)) visit(item, memberPath(path, name), depth + 1);
  };
  visit(root, 'json', 0);
  return best?.path;
}

/** What a template can name. */
export function isPathName(name: string): boolean {
  return /^[^"\]]{1,200}$/.test(name);
}

/** `path` with `name` behind it, as a template calls it. */
export function memberPath(path: string, name: string): string {
  return /^[A-Za-z_][\w-]{0,99}$/.test(name) ? `${path}.${name}` : `${path}["${name}"]`;
}
