// Rewrites the JSONPath of a member as templates have it.
import { PageError } from '../../errors.ts';

const STEP = /\['((?:\\.|[^'\\])*)'\]|\[(\d+)\]/g;

/** `$['a']['b'][0]` as `["a"]["b"][0]`. Throws PageError `selector` for what templates can't say. */
export function itemPathOf(path: string): string {
  const written: string[] = [];
  for (const [, name, index] of path.matchAll(STEP)) {
    const plain = name?.replaceAll(/\\(.)/g, '$1');
    if (plain !== undefined && (/["\]]/.test(plain) || plain === '' || plain.length > 200))
      throw new PageError('selector', `The member "${plain.slice(0, 50)}" can't be named in a template.`);
    written.push(plain === undefined ? `[${index ?? 0}]` : `["${plain}"]`);
  }
  return written.join('');
}

/** True for a path whose members all can be named in a template. */
export function canNamePath(path: string): boolean {
  try {
    itemPathOf(path.replace('[*]', ''));
    return true;
  } catch (error) {
    if (error instanceof PageError) return false;
    throw error;
  }
}
