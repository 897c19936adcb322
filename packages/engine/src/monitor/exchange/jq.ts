// The part of jq that only points at something, as JSONPath.

/** One step of a path at its beginning: a member, a member in quotes, a list item, all items. */
const STEPS: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/^\.?\["((?:[^"\\]|\\.)*)"\]/, ([, name = '']) => `[${quoted(JSON.parse(`"${name}"`) as string)}]`],
  [/^\."((?:[^"\\]|\\.)*)"/, ([, name = '']) => `[${quoted(JSON.parse(`"${name}"`) as string)}]`],
  [/^\.?\[(-?\d+)\]/, ([, place = '']) => `[${place}]`],
  [/^\.?\[(-?\d*):(-?\d*)\]/, ([, from = '', to = '']) => `[${from}:${to}]`],
  [/^\.?\[\]\??/, () => '[*]'],
  [/^\.([A-Za-z_]\w*)\??/, ([, name = '']) => `[${quoted(name)}]`],
];

/** The JSONPath that finds what a jq program gives, such as `.items[].name` or `.[] | .price`; undefined for one that computes. */
export function jsonPathOfJq(program: string): string | undefined {
  const paths = program.split('|').map((part) => pathOf(part.trim()));
  if (paths.some((path) => path === undefined)) return undefined;
  return `$${paths.join('')}`;
}

function pathOf(part: string): string | undefined {
  if (part === '.') return '';
  let path = '';
  for (let rest = part; rest !== '';) {
    const step = STEPS.map(([pattern, write]) => [pattern.exec(rest), write] as const).find(([match]) => match);
    if (!step?.[0]) return undefined;
    path += step[1](step[0]);
    rest = rest.slice(step[0][0].length);
  }
  return path === '' ? undefined : path;
}

function quoted(name: string): string {
  return `'${name.replaceAll(/[\\']/g, '\\$&')}'`;
}
