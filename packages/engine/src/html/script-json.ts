// Reads the variables that a page's scripts set to data. Parsed, never executed.
import type { JsonValue } from './loose-json.ts';
import { parseLooseJson, readLooseValue } from './loose-json.ts';

/** A variable and what a script sets it to. */
export interface Assignment {
  readonly name: string;
  readonly value: JsonValue;
}

/** `window.NAME = {`, `self["NAME"] = [`, `var NAME = JSON.parse(`. */
const ASSIGNMENT =
  /(?:(?:window|self|globalThis)\s*(?:\.\s*|\[\s*["'])([\w$]+)(?:["']\s*\])?|(?:^|[;{}\s])(?:var|let|const)\s+([A-Za-z_$][\w$]*))\s*=\s*(?=[{[]|JSON\.parse\()/g;

/** The assignments of a script in order; a value that is no data (a function call, a getter) is left out. `wants` is asked before a value is read. */
export function* readAssignments(text: string, wants: (name: string, isGlobal: boolean) => boolean = () => true): Generator<Assignment> {
  // Values that turn out unreadable may overlap; the budget keeps the work linear in the script's length.
  let budget = text.length * 2;
  for (const match of text.matchAll(ASSIGNMENT)) {
    const name = match[1] ?? match[2] ?? '';
    if (!wants(name, match[1] !== undefined)) continue;
    const start = match.index + match[0].length;
    const { value, end } = readAssigned(text, start);
    if (value !== undefined) yield { name, value };
    budget -= end - start;
    if (budget < 0) return;
  }
}

function readAssigned(text: string, start: number): { readonly value: JsonValue | undefined; readonly end: number } {
  if (!text.startsWith('JSON.parse(', start)) return readLooseValue(text, start);
  const { value, end } = readLooseValue(text, start + 'JSON.parse('.length);
  return { value: typeof value === 'string' ? parseLooseJson(value)[0] : undefined, end };
}
