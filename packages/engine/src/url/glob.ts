// Matches URLs against globs without regular expressions, in bounded time.

/** Patterns with more alternatives than this are refused. */
const ALTERNATIVES_MAX = 256;

/** The globs without braces that `glob` stands for; nested braces are allowed. Throws RangeError above 256. */
export function expandGlob(glob: string): readonly string[] {
  const open = glob.indexOf('{');
  const close = open < 0 ? -1 : findClose(glob, open);
  if (close < 0) return [glob];
  const tails = expandGlob(glob.slice(close + 1));
  const expanded: string[] = [];
  for (const option of splitOptions(glob.slice(open + 1, close)).flatMap(expandGlob)) {
    for (const tail of tails) expanded.push(glob.slice(0, open) + option + tail);
    if (expanded.length > ALTERNATIVES_MAX) throw new RangeError(`The pattern has more than ${ALTERNATIVES_MAX} alternatives.`);
  }
  return expanded;
}

function findClose(glob: string, open: number): number {
  let depth = 0;
  for (let i = open; i < glob.length; i++) {
    if (glob[i] === '{') depth++;
    if (glob[i] === '}' && --depth === 0) return i;
  }
  return -1;
}

function splitOptions(inside: string): readonly string[] {
  const options: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= inside.length; i++) {
    if (inside[i] === '{') depth++;
    if (inside[i] === '}') depth--;
    if (i < inside.length && (inside[i] !== ',' || depth > 0)) continue;
    options.push(inside.slice(start, i));
    start = i + 1;
  }
  return options;
}

/** Two places to go back to: the last `*`, which can't pass a slash, and the last `**`, which can. */
export function matchesPlain(glob: string, text: string): boolean {
  let at = 0;
  let g = 0;
  let star = { glob: -1, text: 0 };
  let deep = { glob: -1, text: 0 };
  while (at < text.length || g < glob.length) {
    if (glob[g] === '*') {
      if (glob[g + 1] === '*') {
        g += 2;
        deep = { glob: g, text: at };
        star = { glob: -1, text: 0 };
      } else {
        g += 1;
        star = { glob: g, text: at };
      }
    } else if (g < glob.length && at < text.length && glob[g] === text[at]) {
      g++;
      at++;
    } else if (star.glob >= 0 && star.text < text.length && text[star.text] !== '/') {
      star = { ...star, text: star.text + 1 };
      g = star.glob;
      at = star.text;
    } else if (deep.glob >= 0 && deep.text < text.length) {
      deep = { ...deep, text: deep.text + 1 };
      star = { glob: -1, text: 0 };
      g = deep.glob;
      at = deep.text;
    } else {
      return false;
    }
  }
  return true;
}
