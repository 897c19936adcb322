// Reads the pictures of a page: the largest version that each offers, what it shows, and how large it is said to be.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { collapse } from '../../html/text.ts';
import { absoluteUrl } from '../../html/address.ts';
import { attribute, elementsBelow } from '../../html/walk.ts';
import type { PageTree } from '../../html/tree.ts';

/** One picture that a page shows. */
export interface Image {
  /** Absolute, http or https. */
  readonly url: string;
  /** Empty where the page gives none. */
  readonly alt: string;
  /** CSS pixels, where the attributes state them. */
  readonly width?: number;
  readonly height?: number;
}

/** Where scripts that load late keep the address. */
const LATE_SOURCES = [
  'data-src',
  'data-original',
  'data-lazy-src',
  'data-lazy',
  'data-url',
  'data-image',
  'data-hi-res-src',
  'data-full-src',
  'data-zoom-image',
];
const LATE_SETS = ['data-srcset', 'data-lazy-srcset', 'data-original-set'];
/** A picture of this many CSS pixels or fewer on both sides is a tracker or a spacer. */
const SPACER_PIXELS = 1;

/** Pictures of `<img>` (with the `<picture>` around it) and `<input type=image>` in document order, each address once. */
export function readImages(tree: PageTree): readonly Image[] {
  const images = new Map<string, Image>();
  for (const element of elementsBelow(tree.body)) {
    if (element.name !== 'img' && !isImageInput(element)) continue;
    const url = absoluteUrl(sourceOf(element), tree);
    const width = pixels(element.attribs['width']);
    const height = pixels(element.attribs['height']);
    if (url === undefined || images.has(url) || isSpacer(width, height)) continue;
    const alt = collapse(element.attribs['alt'] ?? '');
    images.set(url, { url, alt, ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) });
  }
  return [...images.values()];
}

function isImageInput(element: Element): boolean {
  return element.name === 'input' && element.attribs['type']?.toLowerCase() === 'image';
}

function isSpacer(width: number | undefined, height: number | undefined): boolean {
  return width !== undefined && height !== undefined && width <= SPACER_PIXELS && height <= SPACER_PIXELS;
}

function pixels(value: string | undefined): number | undefined {
  const digits = /^\s*(\d{1,6})(?:\.\d+)?\s*(?:px)?\s*$/.exec(value ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The largest of a source set, else the late source, else `src`; `data:` pictures stand in for others and never count. */
function sourceOf(element: Element): string | undefined {
  const sets = [element.attribs['srcset'], ...LATE_SETS.map((name) => element.attribs[name]), ...pictureSets(element)];
  for (const set of sets) {
    const largest = set === undefined ? undefined : largestSource(set);
    if (largest !== undefined) return largest;
  }
  const late = LATE_SOURCES.map((name) => attribute(element, name)).find((value) => value !== undefined && looksLikeAddress(value));
  return late ?? attribute(element, 'src');
}

function pictureSets(element: Element): readonly (string | undefined)[] {
  const parent = element.parent;
  if (!parent || !isTag(parent) || parent.name !== 'picture') return [];
  const sources = parent.children.filter((node): node is Element => isTag(node) && node.name === 'source');
  return sources.flatMap(({ attribs }) => [attribs['srcset'], attribs['data-srcset']]);
}

function looksLikeAddress(value: string): boolean {
  return !/^(?:data|blob|javascript):/i.test(value) && !/\s/.test(value) && /[/.]/.test(value);
}

/**
 * The address with the greatest width or density of a `srcset`; undefined where it has no address
 * (HTML, https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute).
 */
export function largestSource(srcset: string): string | undefined {
  let largest: { readonly url: string; readonly size: number } | undefined;
  for (const { url, descriptor } of splitSourceSet(srcset)) {
    const size = Number(/^([\d.]+)[wx]\b/.exec(descriptor)?.[1] ?? 1);
    if (looksLikeAddress(url) && (largest === undefined || size > largest.size)) largest = { url, size };
  }
  return largest?.url;
}

/** An address runs to white space and may hold commas; one that ends in a comma has no descriptor. */
function* splitSourceSet(srcset: string): Generator<{ readonly url: string; readonly descriptor: string }> {
  const word = /[^\s,]\S*/g;
  for (let match = word.exec(srcset); match; match = word.exec(srcset)) {
    const [spaced] = match;
    if (spaced.endsWith(',')) {
      yield { url: withoutCommas(spaced), descriptor: '' };
      continue;
    }
    const comma = srcset.indexOf(',', word.lastIndex);
    const end = comma < 0 ? srcset.length : comma;
    yield { url: spaced, descriptor: srcset.slice(word.lastIndex, end).trim() };
    word.lastIndex = end;
  }
}

function withoutCommas(text: string): string {
  let end = text.length;
  while (text[end - 1] === ',') end--;
  return text.slice(0, end);
}
