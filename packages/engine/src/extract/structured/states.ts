// Reads the state objects that script frameworks leave in a page. Parsed as data, never executed.
import type { Element } from 'domhandler';
import type { JsonValue } from '../../html/loose-json.ts';
import { parseLooseJson, readLooseValue } from '../../html/loose-json.ts';
import { readAssignments } from '../../html/script-json.ts';
import { scriptTextOf } from '../../html/walk.ts';

/** One state object of a page. */
export interface PageState {
  /** The variable (`__NEXT_DATA__`), or the id of the data script; `json` where it has none. */
  readonly name: string;
  readonly value: JsonValue;
}

/** Further states are left out. */
export const STATES_MAX = 100;
/** Longer scripts are left unread. */
export const STATE_CHARS_MAX = 8_000_000;

/** A variable of a script's own is a state only where its name says so. */
const STATE_NAME = /^__\w+__$/;
const FLIGHT = /(?:self|window)\.__next_f\s*(?:=[^;]{0,60}\)|)\.push\(\s*(?=\[)/g;

/** The states in document order; a state that is no data (a function call, a getter) is left out. */
export function readStates(scripts: readonly Element[]): readonly PageState[] {
  const states: PageState[] = [];
  let flight = '';
  for (const script of scripts) {
    const text = scriptTextOf(script);
    if (text.length > STATE_CHARS_MAX || states.length >= STATES_MAX) continue;
    const type = script.attribs['type']?.trim().toLowerCase() ?? '';
    if (/^application\/json\b/.test(type)) states.push(...readDataScript(script, text));
    else if (type === '' || /javascript|module/.test(type)) {
      states.push(...readAssignedStates(text));
      flight += readFlightChunks(text);
    }
  }
  const rows = readFlightRows(flight);
  if (rows.length > 0) states.push({ name: '__next_f', value: rows });
  return states.slice(0, STATES_MAX);
}

function readDataScript(script: Element, text: string): readonly PageState[] {
  const value = parseLooseJson(text)[0];
  return value === undefined ? [] : [{ name: script.attribs['id'] ?? 'json', value }];
}

function readAssignedStates(text: string): readonly PageState[] {
  const states: PageState[] = [];
  for (const state of readAssignments(text, (name, isGlobal) => isGlobal || STATE_NAME.test(name))) {
    if (!isEmpty(state.value)) states.push(state);
    if (states.length >= STATES_MAX) break;
  }
  return states;
}

function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The text chunks of a server-rendered component stream: `self.__next_f.push([1,"..."])`. */
function readFlightChunks(text: string): string {
  let chunks = '';
  for (const match of text.matchAll(FLIGHT)) {
    const value = readLooseValue(text, match.index + match[0].length).value;
    if (Array.isArray(value) && value[0] === 1 && typeof value[1] === 'string') chunks += value[1];
  }
  return chunks;
}

/** Rows `id:json` of a component stream; rows of text, modules and hints are no data. */
function readFlightRows(stream: string): readonly JsonValue[] {
  const rows: JsonValue[] = [];
  for (const match of stream.matchAll(/^[0-9a-f]+:([[{].*)$/gm)) {
    const value = parseLooseJson(match[1] as string)[0];
    if (value !== undefined) rows.push(value);
  }
  return rows;
}
