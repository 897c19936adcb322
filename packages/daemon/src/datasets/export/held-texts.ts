// Texts that were made of large rows, as far as there is room for them: whoever writes slowly makes his anew and holds none.
import { wholeCharacters } from './chunks.ts';

/** What all exports of a thread may hold of such texts, beside the one that was used last. */
const HELD_CHARS_MAX = 32_000_000;
const PART_CHARS = 1_048_576;
const encoder = new TextEncoder();

/** Texts by their owners. */
export interface HeldTexts {
  /** The text of `owner`: `make` is called for it again where others took its room meanwhile. */
  of(owner: object, make: () => string): string;
  drop(owner: object): void;
}

/** Room for so many characters; the texts that were not used for longest make place first. */
export function createHeldTexts(charsMax = HELD_CHARS_MAX): HeldTexts {
  const texts = new Map<object, string>();
  let chars = 0;
  const drop = (owner: object) => {
    chars -= texts.get(owner)?.length ?? 0;
    texts.delete(owner);
  };
  return {
    drop,
    of(owner, make) {
      const text = texts.get(owner) ?? make();
      drop(owner);
      for (const [oldest] of texts) {
        if (chars + text.length <= charsMax) break;
        drop(oldest);
      }
      texts.set(owner, text);
      chars += text.length;
      return text;
    },
  };
}

/** UTF-8 of the text that `make` makes, always the same one, in parts of a megabyte; between two of them it is held only in `held`. */
export function* textInParts(make: () => string, held: HeldTexts): Generator<Uint8Array> {
  const owner = {};
  // What a generator names it holds, so that the text stays within this.
  const partAt = (at: number) => {
    const text = held.of(owner, make);
    const end = wholeCharacters(text, at + PART_CHARS);
    return { part: encoder.encode(text.slice(at, end)), next: end < text.length ? end : undefined };
  };
  try {
    for (let at: number | undefined = 0; at !== undefined;) {
      const { part, next } = partAt(at);
      yield part;
      at = next;
    }
  } finally {
    held.drop(owner);
  }
}
