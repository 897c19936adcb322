// The table of extractors: what each type makes of what a selector found.
import type { ExtractorType } from '@weft/contract';
import type { Element } from 'domhandler';
import { serializeOuter } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';
import type { JsonValue } from '../../../html/loose-json.ts';
import { parseLooseJson } from '../../../html/loose-json.ts';
import { isSingularPath, matchJsonPath } from '../../../html/selectors/json.ts';
import { compileRegex, matchRegexInText } from '../../../html/selectors/regex.ts';
import { elementsBelow } from '../../../html/walk.ts';
import { canonicalJson, canonicalLine } from '../canonical-json.ts';
import type { FoundPart } from '../parts.ts';
import { valuesAt } from '../parts.ts';
import { COMPARED_CHARS_MAX } from '../text-filter.ts';
import { readAvailability, readQuantity } from './availability.ts';
import { readDate } from './date.ts';
import { readList } from './list.ts';
import { readNumber } from './number.ts';
import { found, quoted } from './outcome.ts';
import type { Found, Outcome, Reading } from './outcome.ts';
import { lostPicture, readImageHash } from './picture.ts';
import { isWholePage, readPrice } from './price.ts';
import { readVersion } from './version.ts';

/** Matches of one expression. */
const MATCHES_MAX = 10_000;
/** Media without text of their own. */
const PICTURES = new Set(['img', 'picture', 'svg', 'canvas', 'video', 'iframe', 'object', 'embed']);

/** What an extractor makes of what its selector found. Throws PageError `selector` for an expression or path that is none. */
export function extract(reading: Reading): Outcome {
  return EXTRACTORS[reading.spec.type](reading);
}

/** The same of each part, as a list where there are many. */
function ofEach(read: (part: FoundPart, reading: Reading) => Outcome): (reading: Reading) => Outcome {
  return (reading) => {
    const { parts, many } = reading;
    const [first] = parts;
    if (!many) return first ? read(first, reading) : { problem: 'The selector finds nothing.' };
    const outcomes = parts.map((part) => read(part, reading));
    const problem = outcomes.find((outcome) => 'problem' in outcome);
    if (problem && outcomes.every((outcome) => 'problem' in outcome)) return problem;
    const kept = outcomes.map((outcome) => ('problem' in outcome ? NONE : outcome));
    const lines = (text: (one: Found) => string) => kept.map(text).join('\n');
    return found(
      kept.map(({ value }) => value),
      lines(({ text }) => text),
      lines(({ text, compared = text }) => compared),
    );
  };
}

const NONE: Found = { value: null, text: '' };

const EXTRACTORS: Readonly<Record<ExtractorType, (reading: Reading) => Outcome>> = {
  text: readText,
  number: ofEach((part, { page }) => (typeof part.value === 'number' ? found(part.value) : readNumber(part.current, page.language))),
  price: ofEach(readPrice),
  availability: ofEach(readAvailability),
  quantity: ofEach(readQuantity),
  date: ofEach(readDate),
  version: ofEach(readVersion),
  attribute: ofEach(readAttribute),
  html: ofEach(readHtml),
  list: readList,
  count: ({ matches }) => found(matches),
  hash: readHash,
  image_hash: (reading) => lostPicture(reading) ?? ofEach(readImageHash)(reading),
  regex: readMatches,
  json: ofEach(readJson),
};

/** What the steps make of what is shown; what is compared is made of it without what is ignored. */
function readText({ parts, unread, many, tally, filter }: Reading): Outcome {
  const read = many ? parts : parts.slice(0, 1);
  const texts = read.map((part) => part.text);
  if (texts.every((text) => text.trim() === '')) return { problem: emptyProblem(read) };
  const cut = tally.isUsedUp ? texts.length - texts.findLastIndex((text) => text !== '') - 1 : 0;
  const rest = many && unread + cut > 0 ? [`[${unread + cut} more matches, which are not read]`] : [];
  const text = filter.made([...texts, ...rest].join('\n'));
  return found(text, text, filter.made([...read.map(({ kept }) => kept), ...rest].join('\n')));
}

/** An empty text is hardly what was meant (T9), and would be told as a change. */
function emptyProblem(parts: readonly FoundPart[]): string {
  const elements = parts.flatMap(({ element }) => element ?? []);
  if (elements.some(holdsPicture))
    return 'What the selector finds holds a picture and no text; read it with `image_hash`, or its `alt` or `src` with `attribute`.';
  if (parts.some((part) => part.isHidden))
    return 'What the selector finds is hidden on the page; select what is shown, or look at the page in a browser (`lane: browser`), which may show it.';
  return 'What the selector finds is there and holds no text; select an element with text, or read an `attribute` of it.';
}

function holdsPicture(element: Element): boolean {
  return [element, ...elementsBelow(element)].some(({ name }) => PICTURES.has(name));
}

function readHash(reading: Reading): Outcome {
  const read = readText(reading);
  if ('problem' in read) return read;
  return found(reading.filter.digest(reading.filter.canonical(read.compared ?? read.text)));
}

function readAttribute({ element }: FoundPart, { spec, page }: Reading): Outcome {
  const name = spec.attribute ?? '';
  if (!element) return { problem: 'The selector points at a value, which has no attributes; let it find the element.' };
  const value = element.attribs[page.isXml ? name : name.toLowerCase()];
  if (value !== undefined) return found(value);
  const names = Object.keys(element.attribs).slice(0, 20).join(', ');
  return { problem: `<${element.name}> has no attribute ${name}${names === '' ? '' : `; it has ${names}`}.` };
}

function readHtml({ element }: FoundPart, { filter, tally }: Reading): Outcome {
  if (!element) return { problem: 'The selector points at a value, which has no HTML; let it find the element.' };
  const html = tally.take(() => serializeOuter(element, { treeAdapter: adapter }));
  if (html === '') return { problem: 'The matches before it are too long for more to be read.' };
  return found(html, html, filter.strip(html).text);
}

/** All matches in what is not ignored, a line each. */
function readMatches({ spec, parts, many }: Reading): Outcome {
  const pattern = spec.pattern ?? '';
  const regex = compileRegex(/^\/.+\/[a-z]*$/s.test(pattern) ? pattern : `/${pattern}/`);
  const text = (many ? parts : parts.slice(0, 1)).map(({ kept }) => kept).join('\n');
  const matches = matchRegexInText(regex, text, MATCHES_MAX);
  if (matches.length === 0) return { problem: `${quoted(pattern)} matches nothing in ${quoted(text)}.` };
  return found(matches.join('\n'));
}

/** What a path finds: its value where it can find one alone, else a list. */
function readJson(part: FoundPart, { spec, page }: Reading): Outcome {
  const path = spec.path ?? '$';
  const values = valuesIn(part, path, page);
  if (values.length === 0) return { problem: `${path} finds nothing in the JSON of ${page.source.url}.` };
  const [only = null] = values;
  const value = isSingularPath(path) ? only : values;
  const text = typeof value === 'string' ? value : canonicalJson(value);
  if (typeof value !== 'string' && text.length > COMPARED_CHARS_MAX)
    return {
      problem: `${path} finds ${text.length} characters of JSON; at most ${COMPARED_CHARS_MAX} are kept. Take a path that finds less.`,
    };
  return found(value, text, canonicalLine(value));
}

/** Of a JSON value what is in it; of a script its JSON; of the page all that it carries. */
function valuesIn({ element, value }: FoundPart, path: string, page: Reading['page']): readonly JsonValue[] {
  if (!element && value !== undefined) {
    const [inner] = typeof value === 'string' && /^\s*[[{]/.test(value) ? parseLooseJson(value) : [];
    return matchJsonPath(path, inner ?? value);
  }
  if (!element || isWholePage(element)) return valuesAt(path, page);
  const text = page.textOf(element) || scriptText(element);
  const own = parseLooseJson(text).flatMap((json) => matchJsonPath(path, json));
  return own.length > 0 || element.name === 'script' ? own : valuesAt(path, page);
}

function scriptText(element: Element): string {
  return element.children.map((child) => ('data' in child ? child.data : '')).join('');
}
