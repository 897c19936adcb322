// Words: those that a site's rows are made of, to search it with, and those of an objective, to know what is wanted.

const WORD = /\p{L}[\p{L}\p{M}]*/gu;
/** Words that are joined by hyphens are one: `check-in`. */
const COMPOUND = /\p{L}[\p{L}\p{M}]*(?:-\p{L}[\p{L}\p{M}]*)*/gu;
const WORD_MIN = 4;
const WORD_MAX = 20;
const RARE_MIN = 2;
const RARE_SHARE_MAX = 0.2;
/** Words of rows that any row of any site may have. */
const COMMON = new Set(
  (
    'about after again also another been before being between both could each even every first from have here html http https into just like more most ' +
    'much must only other over page pages read same should some such than that their them then there these they this those through under very were ' +
    'what when where which while will with would your next previous view show home details detail item items list search results result price ' +
    'date author title name rating stock available more less from item free new und oder eine einer nicht auch mehr dans pour avec plus para como más'
  ).split(' '),
);
/** Words with which an objective is put, and which say nothing of what it is about. */
const ASKING = new Set(
  (
    'a an all and any api are as at be by can data each every extract fetch find for from get give given has have i if in into is it its keyword ' +
    'keywords list listing listings look me my of on or our page pages query return retrieve scrape search searching show site so some term terms ' +
    'text that the their them then there these they this to up us want we website what when where which with word words would you your including ' +
    'entries entry items item results result records record rows row first latest their via using use one single'
  ).split(' '),
);
const ASKS_TO_SEARCH = /\b(?:search|find|look\s?up|quer(?:y|ies)|keywords?|matching|suche|buscar|recherch)/i;
const SAME: readonly (readonly string[])[] = [
  ['name', 'title', 'headline', 'heading'],
  ['url', 'link', 'address', 'href'],
  ['image', 'picture', 'photo', 'thumbnail'],
  ['product', 'article', 'good'],
  ['article', 'page', 'document', 'entry'],
  ['price', 'cost'],
  ['author', 'writer'],
  ['date', 'time', 'published', 'created', 'updated'],
  ['summary', 'description', 'snippet', 'excerpt', 'abstract'],
  ['issue', 'ticket', 'bug'],
  ['post', 'article', 'story', 'news', 'entry'],
  ['job', 'vacancy', 'position', 'opening'],
];

/** The words of `text`, folded: without accents, in small letters. */
export function wordsOf(text: string): readonly string[] {
  return fold(text).match(WORD) ?? [];
}

/** The words of `text`, and those that hyphens join of them. */
export function compoundsOf(text: string): readonly string[] {
  return [...new Set([...wordsOf(text), ...(fold(text).match(COMPOUND) ?? [])])];
}

/** `text` as it is compared: composed alike, in small letters, without accents. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').normalize('NFKC').toLowerCase();
}

/** True where `word` stands in `text` as a word or the beginning of one. */
export function holdsWord(text: string, word: string): boolean {
  const folded = fold(text);
  const sought = fold(word);
  for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + 1))
    if (at === 0 || !/\p{L}|\p{N}/u.test(folded[at - 1] ?? '')) return true;
  return false;
}

/**
 * Words to search a site with, best first: those that some of its rows have, and most have not. `avoid` leaves out words that stand in the
 * same rows as one of these.
 */
export function searchWords(rows: readonly string[], avoid: readonly string[] = []): readonly string[] {
  const counts = new Map<string, number>();
  const together = new Set<string>();
  for (const row of rows) {
    const words = new Set(wordsOf(row).filter(isTelling));
    const isAvoided = avoid.some((word) => holdsWord(row, word));
    for (const word of words) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      if (isAvoided) together.add(word);
    }
  }
  const most = Math.max(1, Math.floor(rows.length / 2));
  const weigh = (word: string, count: number) => count * (together.has(word) ? 0.25 : 1) * (word.length >= 5 ? 1.2 : 1);
  return [...counts]
    .filter(([word, count]) => count <= most && !avoid.includes(word))
    .toSorted(([a, x], [b, y]) => weigh(b, y) - weigh(a, x) || a.localeCompare(b))
    .map(([word]) => word);
}

/** True where two of `rows`, and no more than half of them, have a word that tells something. */
export function hasSharedWord(rows: readonly string[]): boolean {
  const [best] = searchWords(rows);
  return best !== undefined && rows.filter((row) => wordsOf(row).includes(best)).length >= 2;
}

/** Of each of `rows` the words that a few others have as well: what most have is answered with the same rows each time. */
export function rareWords(rows: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  const words = rows.map((row) => [...new Set(wordsOf(row))]);
  for (const word of words.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const most = Math.max(RARE_MIN, rows.length * RARE_SHARE_MAX);
  const isRare = (word: string) => (counts.get(word) ?? 0) >= RARE_MIN && (counts.get(word) ?? 0) <= most;
  return words.map((row) => row.filter(isRare).join(' '));
}

function isTelling(word: string): boolean {
  return word.length >= WORD_MIN && word.length <= WORD_MAX && !COMMON.has(word);
}

/** True for an objective that speaks of searching. */
export function asksToSearch(objective: string): boolean {
  return ASKS_TO_SEARCH.test(objective);
}

/** The words of an objective that say what it is about. */
export function objectiveWords(objective: string): readonly string[] {
  return [...new Set(fold(objective).match(COMPOUND) ?? [])].filter((word) => word.length >= 3 && !ASKING.has(word));
}

/**
 * How much of an objective `texts` speak of, 0 to 1: the share of its telling words that they have, in this or another form or by a word of
 * the same meaning. 1 for an objective without telling words, 0 for an empty one.
 */
export function matchObjective(objective: string, texts: readonly string[]): number {
  if (objective.trim() === '') return 0;
  const wanted = objectiveWords(objective);
  if (wanted.length === 0) return 1;
  const stems = new Set(texts.flatMap((text) => compoundsOf(text.replaceAll(/[_\d]+/g, ' ')).map(stem)));
  const isSaid = (word: string) =>
    meaningsOf(word).some((each) => stems.has(stem(each))) ||
    (word.includes('-') && word.split('-').every((part) => stems.has(stem(part))));
  return wanted.filter(isSaid).length / wanted.length;
}

function meaningsOf(word: string): readonly string[] {
  const own = stem(word);
  return [word, ...SAME.filter((group) => group.some((each) => stem(each) === own)).flat()];
}

/** Without the endings of English plurals and verbs; other languages keep theirs. */
function stem(compound: string): string {
  const word = compound.replaceAll('-', '');
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 5 && /(?:ches|shes|sses|xes)$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3);
  return word;
}
