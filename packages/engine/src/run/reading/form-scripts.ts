// Whether a script of the page changes what a form sends: seen by what the page itself says, without running anything.
import type { Element } from 'domhandler';
import { elementsBelow, scriptTextOf } from '../../html/walk.ts';
import type { PageTree } from '../../html/tree.ts';

/** What is made of a text before it is sent, as calls of scripts name it; `location.hash` is none. */
const MAKES = /(?:md[45]|sha_?\d|hash(?!change)|hmac|digest|crypt|cipher|b64|base64|btoa|pbkdf|\brsa)\w*\s*\(/i;
/** A script that writes into controls. */
const WRITES = /\.value\s*=(?!=)|\.val\(\s*[^\s)]|setAttribute\(\s*["']value["']/;

/** Why the scripts of a page change what a form sends, as the rest of a sentence about it; undefined where the page does not say so. */
export function scriptOf(form: Element, controls: readonly Element[], tree: PageTree): string | undefined {
  if (/^\s*javascript:/i.test(form.attribs['action'] ?? '')) return 'its form is sent by a script';
  const handlers = [form.attribs['onsubmit'], ...controls.map(({ attribs }) => attribs['onclick'])];
  if (handlers.some((handler) => handler !== undefined && (MAKES.test(handler) || WRITES.test(handler))))
    return 'a handler of its form changes what is sent';
  const hidden = controls.filter(({ attribs }) => attribs['type']?.trim().toLowerCase() === 'hidden').flatMap(namesOf);
  for (const script of elementsBelow(tree.root)) {
    if (script.name !== 'script') continue;
    const text = scriptTextOf(script);
    if (!WRITES.test(text)) continue;
    if (MAKES.test(text)) return 'one of its scripts makes something else of what is typed';
    const written = hidden.find((name) => text.includes(name));
    if (written !== undefined) return `one of its scripts writes ${written}, which is sent as well`;
  }
  return undefined;
}

/** Whether the page has any script that could change what its form sends. */
export function hasScripts(form: Element, tree: PageTree): boolean {
  return form.attribs['onsubmit'] !== undefined || [...elementsBelow(tree.root)].some(isProgram);
}

/** Data in a script tag is no program (HTML, 4.12.1). */
function isProgram({ name, attribs }: Element): boolean {
  return (
    name === 'script' && /^(?:module|(?:text|application)\/(?:javascript|ecmascript|x-javascript))?$/i.test((attribs['type'] ?? '').trim())
  );
}

/** As a script may call a control: names of two characters are in every script. */
function namesOf({ attribs }: Element): readonly string[] {
  return [attribs['name'], attribs['id']].filter((name): name is string => name !== undefined && name.length > 2);
}
