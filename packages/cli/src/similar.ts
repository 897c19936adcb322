// Words that are nearly those of a command, or mean what one does.

/** commander's own rule for what it suggests: at most three slips, and more than two fifths of the longer word right. */
const SLIPS_MAX = 3;
const RIGHT_MIN = 0.4;

/** What programs call the same act; of several that there are the first is meant. */
const SAME: readonly (readonly string[])[] = [
  ['edit', 'set', 'update', 'change', 'modify', 'patch', 'put'],
  ['delete', 'remove', 'rm', 'forget', 'clear', 'del', 'drop', 'destroy', 'erase', 'unset'],
  ['show', 'get', 'status', 'view', 'info', 'inspect', 'describe', 'read', 'cat', 'print'],
  ['list', 'ls', 'all', 'index'],
  ['create', 'add', 'save', 'put', 'new', 'make', 'insert', 'register'],
  ['run', 'start', 'call', 'execute', 'exec', 'launch', 'begin', 'trigger'],
  ['disable', 'pause', 'deactivate', 'off', 'suspend'],
  ['cancel', 'stop', 'pause', 'abort', 'kill', 'end', 'halt'],
  ['enable', 'resume', 'activate', 'on', 'unpause', 'continue'],
  ['copy', 'cp', 'clone', 'duplicate'],
  ['rename', 'mv', 'move'],
  ['revisions', 'history', 'log', 'versions'],
  ['export', 'dump', 'save', 'download'],
  ['import', 'load', 'upload', 'put'],
  ['search', 'find', 'query', 'grep'],
  ['diff', 'compare', 'changes'],
  ['check', 'verify', 'test', 'try', 'validate'],
];

/** The one of `words` that `typed` is another word for, else the one that it is most like; undefined where none is. */
export function similarWord(typed: string, words: readonly string[]): string | undefined {
  // A whole word is meant as it is written, however like another command it looks.
  const same = SAME.filter((group) => group.includes(typed)).flatMap((group) => group.find((word) => words.includes(word)) ?? []);
  return words.includes(typed) ? typed : (same[0] ?? mistypedWord(typed, words));
}

function mistypedWord(typed: string, words: readonly string[]): string | undefined {
  const known = words.map((word) => ({ word, slips: slipsBetween(typed, word) }));
  const near = known.filter(({ word, slips }) => {
    const length = Math.max(typed.length, word.length);
    return slips <= SLIPS_MAX && (length - slips) / length > RIGHT_MIN;
  });
  return near.toSorted((a, b) => a.slips - b.slips)[0]?.word;
}

/** Letters that are missing, too many, wrong or in the wrong order (optimal string alignment distance). */
function slipsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const cost = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const ways = [cost(i - 1, j) + 1, cost(i, j - 1) + 1, cost(i - 1, j - 1) + (isSame ? 0 : 1)];
      rows[i]?.push(Math.min(...ways, isSwapped ? cost(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY));
    }
  }
  return cost(a.length, b.length);
}
