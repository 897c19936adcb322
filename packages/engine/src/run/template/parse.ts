// Reads templates: texts with `{{path | filter: argument}}` in them. There is no logic and no code.

/** What stands between the braces. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number; readonly filters: readonly FilterCall[] }
  | { readonly kind: 'path'; readonly path: readonly string[]; readonly filters: readonly FilterCall[] }
  | { readonly kind: 'secret'; readonly key: string }
  | { readonly kind: 'persona'; readonly field: string }
  | { readonly kind: 'file'; readonly id: string };

/** A filter and its arguments: texts and numbers, or paths to them. */
export interface FilterCall {
  readonly name: string;
  readonly arguments: readonly (string | number | { readonly path: readonly string[] })[];
}

/** A template, read: texts and expressions in order. */
export type TemplateParts = readonly (string | Expression)[];

/** A template that is not one; `message` says what is wrong, to stand behind the template's name. */
export class TemplateError extends Error {}

const EXPRESSIONS_MAX = 200;
const PATH_MAX = 20;
const FILTERS_MAX = 10;
const WHOLE = /\{\{((?:"[^"]*"|'[^']*'|[^"'{}])*)\}\}/g;
const NAME = String.raw`[A-Za-z_][\w-]{0,99}`;
const PATH = new RegExp(String.raw`^${NAME}(?:\.(?:${NAME}|-?\d{1,9})|\[-?\d{1,9}\]|\["[^"\]]{1,200}"\])*$`);
const SEGMENT = /([\w-]+)|\[(-?\d+)\]|\["([^"\]]+)"\]/g;
const TOKEN = /"[^"]*"|'[^']*'|\||:|,|(?:\["[^"\]]*"\]|[^\s|:,"'])+/g;

/** The parts of `template`. Throws TemplateError. */
export function parseTemplate(template: string): TemplateParts {
  const parts: (string | Expression)[] = [];
  let end = 0;
  for (const match of template.matchAll(WHOLE)) {
    addText(template.slice(end, match.index), parts);
    parts.push(parseExpression((match[1] ?? '').trim()));
    end = match.index + match[0].length;
  }
  addText(template.slice(end), parts);
  if (parts.length > EXPRESSIONS_MAX) throw new TemplateError(`has more than ${EXPRESSIONS_MAX} parts`);
  return parts;
}

function addText(text: string, parts: (string | Expression)[]): void {
  if (text.includes('{{'))
    throw new TemplateError('opens {{ without a reference that }} closes; a text that holds braces is written {{"{{"}}');
  if (text !== '') parts.push(text);
}

function parseExpression(source: string): Expression {
  const sealed = /^(secret|file)\s*:\s*([\w.-]{1,200})$/.exec(source);
  if (sealed?.[1] === 'secret') return { kind: 'secret', key: sealed[2] ?? '' };
  if (sealed) return { kind: 'file', id: sealed[2] ?? '' };
  const persona = /^persona\.([a-z][a-z0-9_]{0,63})$/.exec(source);
  if (persona) return { kind: 'persona', field: persona[1] ?? '' };
  const [head = [], ...rest] = splitAt(source.match(TOKEN) ?? [], '|');
  const filters = rest.map(parseFilter);
  if (filters.length > FILTERS_MAX) throw new TemplateError(`has more than ${FILTERS_MAX} filters`);
  const [token, ...others] = head;
  if (token === undefined || others.length > 0) throw new TemplateError(`holds {{${source}}}, which is no reference`);
  const value = parseOperand(token);
  if (typeof value === 'object') return { kind: 'path', path: value.path, filters };
  return { kind: 'literal', value, filters };
}

function parseFilter(tokens: readonly string[]): FilterCall {
  const [name = '', colon, ...rest] = tokens;
  if (!/^[a-z_]{1,30}$/.test(name) || (colon !== undefined && colon !== ':'))
    throw new TemplateError(`has a filter that is none: ${tokens.join(' ')}`);
  const given = rest.length === 0 ? [] : splitAt(rest, ',');
  return {
    name,
    arguments: given.map(([token, ...others]) => {
      if (token === undefined || others.length > 0) throw new TemplateError(`has an argument of ${name} that is none`);
      return parseOperand(token);
    }),
  };
}

function parseOperand(token: string): string | number | { readonly path: readonly string[] } {
  if (/^["']/.test(token)) return token.slice(1, -1);
  if (/^-?\d{1,15}(?:\.\d{1,10})?$/.test(token)) return Number(token);
  if (!PATH.test(token)) throw new TemplateError(`holds "${token}", which is no reference`);
  const path = [...token.matchAll(SEGMENT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  if (path.length > PATH_MAX) throw new TemplateError(`has a path of more than ${PATH_MAX} parts`);
  return { path };
}

function splitAt(tokens: readonly string[], separator: string): string[][] {
  const groups: string[][] = [[]];
  for (const token of tokens) {
    if (token === separator) groups.push([]);
    else groups.at(-1)?.push(token);
  }
  return groups;
}
