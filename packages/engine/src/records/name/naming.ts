// Names fields: by itemprop, table header, label, class, and at last by the part they play.
import { wordsOf } from '../survey/classes.ts';
import type { FieldType } from '../list.ts';
import { mean } from '../group/shares.ts';
import type { Slot } from '../align/slots.ts';

/** Class words that say what a value is, with the name they give. */
const MEANINGS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'title name:title headline:title heading:title subject:title price cost:price amount:price author byline:author username:author by:author ' +
    'date time:date datetime:date timestamp:date published:date posted:date updated:date description desc:description summary:description ' +
    'snippet:description excerpt:description teaser:description abstract:description rating stars:rating score reviews:reviews ' +
    'review:reviews comments comment:comments replies views votes likes points:points location address city company employer:company brand ' +
    'manufacturer:brand seller store category section type genre tag:tags tags sku model isbn salary duration length:duration ' +
    'availability stock:availability shipping delivery:shipping discount badge status publisher source language year rank position'
  )
    .split(' ')
    .map((entry) => {
      const [word = '', name = word] = entry.split(':');
      return [word, name];
    }),
);

/** Words of classes that lay out and decorate, and say nothing of the value. */
const LAYOUT =
  /^(?:sm|md|lg|xl|xs|xxl|col|cols|row|rows|flex|grid|inline|block|item|items|items?|link|links|btn|button|icon|img|span|div|box|body|inner|outer|wrap|wrapper|container|content|left|right|center|top|bottom|main|list|listing|card|cell|col\d*|w|h|m|p|margin|padding|vert|horiz|vertical|horizontal|float|pull|overflow|spacing|mt|mb|ml|mr|mx|my|pt|pb|pl|pr|px|py|fw|fs|font|bold|semibold|medium|normal|light|small|large|big|black|white|gray|grey|muted|primary|secondary|text|truncate|between|around|object|contain|cover|sr|only|visually|hidden|cursor|pointer|opacity|blur|grow|shrink|full|auto|none|color|size|clamp|line|ellipsis|relative|absolute|display|rounded|border|bg|shadow|gap|space|justify|align|self|order|hover|focus|transition|leading|tracking|uppercase|lowercase|underline|result|results|search|product|article|post|entry|element|component|module|value|label|field|data|info|details?|meta|ui|a|b|c|g|l|s|u|x|o)$/;

/** Mean characters from which a nameless text is called a description. */
const DESCRIPTION_MIN = 100;

/** What is known of a field besides its place. */
export interface Naming {
  /** Header texts by column. */
  readonly headers: readonly string[];
  /** Stable classes of the items themselves. */
  readonly itemClasses: readonly string[];
  readonly type: FieldType;
  readonly label: string | undefined;
  /** The part the value plays: `title`, `url`, `image`. */
  readonly role: string | undefined;
}

/** The name of `slot`, not yet unique; undefined when nothing suggests one. */
export function suggestName(slot: Slot, naming: Naming): string | undefined {
  const leaf = slot.values.find((leaves) => leaves.length > 0)?.[0];
  const header = headerOf(slot, naming.headers);
  if (slot.kind !== 'text') return naming.role ?? partName(leaf?.itemprop ?? header, slot.kind);
  if (leaf?.itemprop !== undefined) return identifier(leaf.itemprop);
  if (header !== undefined) return header;
  if (naming.label !== undefined) return identifier(naming.label);
  const classes = (leaf?.classes ?? []).filter((token) => !naming.itemClasses.includes(token));
  return meaningOf(classes, naming.type) ?? naming.role ?? typeName(naming.type) ?? tokenName(classes[0]) ?? lengthName(slot);
}

/** The link or picture that belongs to a named part: `author_url`. */
function partName(part: string | undefined, kind: Slot['kind']): string {
  const name = part === undefined ? undefined : identifier(part);
  if (name === undefined) return kind === 'url' ? 'link' : kind;
  return name === kind ? name : `${name}_${kind}`;
}

/** A lower-case identifier of at most 40 characters; undefined when no letter is left. */
export function identifier(text: string): string | undefined {
  const name = wordsOf(text.normalize('NFKC')).join('_').slice(0, 40).replace(/_+$/, '');
  return /\p{L}/u.test(name) ? name : undefined;
}

/** The name that the header over a cell gives; undefined for a column without one. */
export function headerOf(slot: Slot, headers: readonly string[]): string | undefined {
  const column = /^>td\[(\d+)\]/.exec(slot.key)?.[1];
  const header = column === undefined ? undefined : headers[Number(column)];
  return header === undefined ? undefined : (identifier(header) ?? SYMBOLS[header.trim()]);
}

/** What headers without a letter stand for. */
const SYMBOLS: Readonly<Record<string, string>> = {
  '%': 'percent',
  '#': 'number',
  '№': 'number',
  $: 'price',
  '€': 'price',
  '£': 'price',
  Δ: 'change',
  '±': 'change',
  '+/-': 'change',
};

/** A class word with a known meaning; one that contradicts the type of the values is passed over. */
export function meaningOf(classes: readonly string[], type: FieldType): string | undefined {
  for (const token of classes.slice(0, 3)) {
    for (const word of wordsOf(token).toReversed()) {
      const name = MEANINGS[word];
      if (name !== undefined && agrees(name, type)) return name;
    }
  }
  return undefined;
}

const MEANINGS_OF: Partial<Record<FieldType, readonly string[]>> = {
  price: ['price', 'salary', 'shipping', 'discount'],
  date: ['date'],
  rating: ['rating'],
  count: 'reviews comments replies views votes likes points score rank position year duration availability rating'.split(' '),
};

function agrees(name: string, type: FieldType): boolean {
  return MEANINGS_OF[type]?.includes(name) ?? true;
}

function tokenName(token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  const words = wordsOf(token.slice(token.lastIndexOf('__') + 1)).filter((word) => !LAYOUT.test(word) && /^\p{L}{3,20}$/u.test(word));
  return words.length > 0 && words.length <= 3 ? words.join('_') : undefined;
}

/** Long texts describe. */
function lengthName(slot: Slot): string | undefined {
  return mean(slot.values.flat(), (leaf) => leaf.raw.length) >= DESCRIPTION_MIN ? 'description' : undefined;
}

function typeName(type: FieldType): string | undefined {
  return type === 'text' || type === 'boolean' ? undefined : type;
}

/** Makes `names` unique by numbering repeats; a field that plays a role keeps that name, one without a name is called `field_3`. */
export function uniqueNames(names: readonly (string | undefined)[], roles: readonly (string | undefined)[]): string[] {
  const used = new Set<string>();
  const reserved = names.map((name, i) =>
    name !== undefined && name === roles[i] && !used.has(name) ? (used.add(name), name) : undefined,
  );
  return names.map((name, i) => {
    if (reserved[i] !== undefined) return reserved[i];
    const base = name ?? `field_${i + 1}`;
    let unique = base;
    for (let n = 2; used.has(unique); n++) unique = `${base}_${n}`;
    used.add(unique);
    return unique;
  });
}
