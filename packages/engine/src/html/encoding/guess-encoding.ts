// Guesses the encoding of a page that does not say: by what is valid, then by which letters its language uses most.

interface Script {
  readonly encoding: string;
  /** The most frequent characters of the language, lower-case where the script has case. */
  readonly letters: ReadonlySet<string>;
  /** The smallest share of `letters` among all non-ASCII characters that is believed. */
  readonly shareMin: number;
}

interface Alphabet extends Script {
  /** `runs`: words are written in these letters; `among_ascii`: they stand between ASCII letters. */
  readonly stands: 'runs' | 'among_ascii';
}

/** What is looked at; enough for the statistics, and bounded for a page of many megabytes. */
const SAMPLE_BYTES = 262_144;
const LEAD_BYTES = 512;
/** Above this share of broken characters a multi-byte encoding is out. A few occur in honest pages, cut by their software. */
const BROKEN_SHARE_MAX = 0.02;
const UTF8_BROKEN_SHARE_MAX = 0.3;
/** Fewer letters than this are as likely an emoticon as a language. */
const STANDING_MIN = 8;
/** Signs repeat (no-break spaces, dashes, quotation marks); a language uses many letters. Swedish has three beyond ASCII. */
const DISTINCT_MIN = { runs: 4, among_ascii: 3 };
const REPLACEMENT = '\u{fffd}';

const KANA = [...range(0x3041, 0x3093), ...range(0x30a1, 0x30f6), 'ー', '、', '。'].join('');
const HANGUL = '이다는의에을가고하지기한사로어는인도리나아대자시그은라일해수있들서정';
const HANZI_SIMPLE = '的一是不了在有人我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么';
const HANZI_FULL = '的一是不了在有人我他這中大來上個國到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後小麼';

/** Order decides between equals: Japanese EUC is valid GBK, in which its kana mean the same, so it comes first. */
const MULTI_BYTE: readonly Script[] = [
  script('euc-jp', KANA, 0.15),
  script('shift_jis', KANA, 0.15),
  script('euc-kr', HANGUL, 0.15),
  script('gb18030', HANZI_SIMPLE, 0.06),
  script('big5', HANZI_FULL, 0.06),
];

const CYRILLIC = 'оеаинтсрвлкмдп';
const ALPHABETS: readonly Alphabet[] = [
  alphabet('windows-1252', 'éèàêçôîùûâœ', 'among_ascii'),
  alphabet('windows-1252', 'äöüß', 'among_ascii'),
  alphabet('windows-1252', 'áéíóúñü', 'among_ascii'),
  alphabet('windows-1252', 'ãçáéêõóâíà', 'among_ascii'),
  alphabet('windows-1252', 'åäöøæé', 'among_ascii'),
  alphabet('windows-1252', 'èàòùìé', 'among_ascii'),
  alphabet('windows-1250', 'áíéěšřžýčůúťňďó', 'among_ascii'),
  alphabet('windows-1250', 'ąęłńóśźżć', 'among_ascii'),
  alphabet('iso-8859-2', 'áíéěšřžýčůúťňďó', 'among_ascii'),
  alphabet('iso-8859-2', 'ąęłńóśźżć', 'among_ascii'),
  alphabet('windows-1250', 'áéóőöüúíű', 'among_ascii'),
  alphabet('windows-1254', 'ışğüöçâî', 'among_ascii'),
  alphabet('windows-1257', 'āēīšžķļņģūėųįąęč', 'among_ascii'),
  alphabet('windows-1251', CYRILLIC, 'runs'),
  alphabet('koi8-r', CYRILLIC, 'runs'),
  alphabet('koi8-u', `${CYRILLIC}ії`, 'runs'),
  alphabet('windows-1251', `${CYRILLIC}ії`, 'runs'),
  alphabet('iso-8859-5', CYRILLIC, 'runs'),
  alphabet('ibm866', CYRILLIC, 'runs'),
  alphabet('windows-1253', 'αοιετσνηυρπκμλς', 'runs'),
  alphabet('iso-8859-7', 'αοιετσνηυρπκμλς', 'runs'),
  alphabet('windows-1255', 'יוהלארמתשנבםד', 'runs'),
  alphabet('windows-1256', 'اليمونرتبهةعدسف', 'runs'),
  alphabet('windows-874', 'านรอกเงมยลวดทส่้', 'runs'),
];

/** The encoding that `body` shows by itself, as a WHATWG name; undefined when its few odd bytes tell nothing. */
export function guessEncoding(body: Uint8Array): string | undefined {
  const head = body.subarray(0, SAMPLE_BYTES);
  if (hasJapaneseEscape(head)) return 'iso-2022-jp';
  const wide = guessUtf16(head);
  if (wide) return wide;
  if (isValidUtf8(body)) return 'utf-8';
  const sample = sampleOf(body);
  return isMostlyUtf8(sample) ? 'utf-8' : (guessMultiByte(sample) ?? guessAlphabet(sample));
}

/** Many pages begin with long scripts in ASCII, so the sample begins where something is to be seen. */
function sampleOf(body: Uint8Array): Uint8Array {
  const first = body.findIndex((byte) => byte >= 0x80);
  const start = Math.max(first - LEAD_BYTES, 0);
  return body.subarray(start, start + SAMPLE_BYTES);
}

/** ISO-2022-JP is all ASCII but for the escapes that switch to two-byte characters. */
function hasJapaneseEscape(sample: Uint8Array): boolean {
  for (let i = sample.indexOf(0x1b); i >= 0; i = sample.indexOf(0x1b, i + 1)) {
    if (sample[i + 1] === 0x24 && (sample[i + 2] === 0x42 || sample[i + 2] === 0x40)) return true;
  }
  return false;
}

/** Markup in UTF-16 has a zero in every other place. */
function guessUtf16(sample: Uint8Array): string | undefined {
  const head = sample.subarray(0, 256);
  const zeros = (parity: number) => head.filter((byte, i) => byte === 0 && i % 2 === parity).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (even + odd < head.length / 4) return undefined;
  return odd > even * 4 ? 'utf-16le' : even > odd * 4 ? 'utf-16be' : undefined;
}

/** ASCII included. The body may end in the middle of a character. */
function isValidUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** In any other encoding nearly every character above ASCII is broken UTF-8; a page pasted together from two has some. */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const { broken, wide } = countWide(new TextDecoder('utf-8').decode(sample, { stream: true }));
  return broken <= wide * UTF8_BROKEN_SHARE_MAX;
}

function guessMultiByte(sample: Uint8Array): string | undefined {
  let best: { encoding: string; trust: number } | undefined;
  for (const { encoding, letters, shareMin } of MULTI_BYTE) {
    const { broken, wide, common } = countWide(new TextDecoder(encoding).decode(sample, { stream: true }), letters);
    const trust = common / Math.max(wide, 1) / shareMin;
    if (broken > wide * BROKEN_SHARE_MAX || trust < 1) continue;
    if (!best || trust > best.trust) best = { encoding, trust };
  }
  return best?.encoding;
}

function guessAlphabet(sample: Uint8Array): string | undefined {
  let best: { encoding: string; share: number } | undefined;
  const texts = new Map<string, string>();
  const highBytes = sample.reduce((count, byte) => (byte >= 0x80 ? count + 1 : count), 0);
  for (const { encoding, letters, shareMin, stands } of ALPHABETS) {
    const text = texts.get(encoding) ?? new TextDecoder(encoding).decode(sample);
    texts.set(encoding, text);
    const { standing, distinct } = countStanding(text, letters, stands);
    const share = standing / highBytes;
    if (standing >= STANDING_MIN && distinct >= DISTINCT_MIN[stands] && share >= shareMin && (!best || share > best.share))
      best = { encoding, share };
  }
  return best?.encoding;
}

function countWide(text: string, letters?: ReadonlySet<string>): { broken: number; wide: number; common: number } {
  let [broken, wide, common] = [0, 0, 0];
  for (const character of text) {
    if (character < '\u{80}') continue;
    wide += 1;
    if (character === REPLACEMENT) broken += 1;
    else if (letters?.has(character)) common += 1;
  }
  return { broken, wide, common };
}

/** How many of `letters` stand as their language writes them. Without this, Cyrillic looks like a string of French accents. */
function countStanding(text: string, letters: ReadonlySet<string>, stands: Alphabet['stands']): { standing: number; distinct: number } {
  const seen = new Set<string>();
  let standing = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] ?? '';
    if (!letters.has(letter)) continue;
    const wanted = stands === 'runs' ? 'high' : 'ascii';
    if (neighbour(text, i - 1) !== wanted && neighbour(text, i + 1) !== wanted) continue;
    standing += 1;
    seen.add(letter);
  }
  return { standing, distinct: seen.size };
}

function neighbour(text: string, index: number): 'ascii' | 'high' | 'none' {
  const code = text.charCodeAt(index);
  if (code >= 0x80) return 'high';
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) ? 'ascii' : 'none';
}

function script(encoding: string, letters: string, shareMin: number): Script {
  return { encoding, letters: new Set(letters), shareMin };
}

function alphabet(encoding: string, letters: string, stands: Alphabet['stands']): Alphabet {
  return { ...script(encoding, letters, stands === 'runs' ? 0.4 : 0.3), stands };
}

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i));
}
