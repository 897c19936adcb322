// What a model may type: words that stand in the objective or that the site itself has shown. It finds with them what a person would, and tells nobody anything.

const WORDS_MAX = 20_000;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Longer ones are no words but data. */
const WORD_CHARS_MAX = 40;
/** What may stand between words that are typed: nothing that makes an address or a command of them. */
const BETWEEN = /^[\s'’"&+#.,-]*$/u;
const TYPED_CHARS_MAX = 80;

/** The words of these texts in small letters, each once. */
export function wordsOf(texts: readonly string[]): readonly string[] {
  const words = new Set<string>();
  for (const text of texts) {
    if (words.size >= WORDS_MAX) break;
    for (const [word] of text.matchAll(WORD)) if (word.length <= WORD_CHARS_MAX) words.add(fold(word));
  }
  return [...words].slice(0, WORDS_MAX);
}

/** The words that were seen so far. */
export class WordsSeen {
  private readonly words: Set<string>;

  constructor(texts: readonly string[]) {
    this.words = new Set(wordsOf(texts));
  }

  /** Takes in words as `wordsOf` gives them. */
  add(words: readonly string[]): void {
    for (const word of words) if (this.words.size < WORDS_MAX) this.words.add(word);
  }

  /** Why `text` may not be typed; undefined where it may. */
  problemOf(text: string): string | undefined {
    if (text.trim() === '') return 'there is nothing to type';
    if (text.length > TYPED_CHARS_MAX) return `at most ${TYPED_CHARS_MAX} characters are typed`;
    const words = [...text.matchAll(WORD)].map(([word]) => word);
    if (words.length === 0 || !BETWEEN.test(text.replaceAll(WORD, ''))) return 'only words are typed';
    const unseen = words.find((word) => !this.words.has(fold(word)));
    return unseen === undefined ? undefined : 'it holds a word that neither the objective nor the site has shown';
  }
}

function fold(word: string): string {
  return word.normalize('NFC').toLowerCase();
}
