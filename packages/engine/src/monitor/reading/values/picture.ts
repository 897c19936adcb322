// Tells a picture by what it looks like: the page itself, or one that the page shows.
import type { Element } from 'domhandler';
import { absoluteUrl } from '../../../html/address.ts';
import { elementsBelow } from '../../../html/walk.ts';
import type { FoundPart } from '../parts.ts';
import { found } from './outcome.ts';
import type { Outcome, Reading } from './outcome.ts';

const STYLE_ADDRESS = /url\(\s*["']?([^"')\s]+)/;

/** Its hash; another address of the same picture changes nothing. */
export function readImageHash({ element }: FoundPart, { page }: Reading): Outcome {
  if (page.picture !== undefined) return found(page.picture);
  const url = element && addressOf(element, page);
  if (url === undefined) return { problem: 'What the selector finds holds no picture; select the <img>.' };
  const picture = page.pictures.of(url);
  return 'hash' in picture ? found(picture.hash) : picture;
}

/** Why one of many pictures is not known: then nothing is said of the others, because that would be told as a change. */
export function lostPicture({ parts, page }: Reading): Outcome | undefined {
  const urls = page.picture === undefined ? parts.flatMap(({ element }) => (element && addressOf(element, page)) ?? []) : [];
  return urls.map((url) => page.pictures.of(url)).find((picture) => 'problem' in picture);
}

/** The whole address of the picture in an element. */
function addressOf(element: Element, { tree }: Reading['page']): string | undefined {
  const written = writtenAddress(element);
  return written === undefined ? undefined : (absoluteUrl(written, tree) ?? written);
}

/** Of the element, else of the first picture in it. */
function writtenAddress(element: Element): string | undefined {
  for (const at of [element, ...elementsBelow(element)]) {
    const { name, attribs } = at;
    const address = name === 'img' || name === 'source' ? (sourceOf(attribs) ?? attribs['srcset']?.split(/[\s,]/)[0]) : undefined;
    const drawn = address ?? attribs['poster'] ?? STYLE_ADDRESS.exec(attribs['style'] ?? '')?.[1];
    if (drawn !== undefined && drawn !== '') return drawn;
  }
  return undefined;
}

/** Of a picture that is loaded once it is scrolled to, what stands in its place until then does not count. */
function sourceOf({ src, 'data-src': later }: Element['attribs']): string | undefined {
  return src?.startsWith('data:') === true ? (later ?? src) : (src ?? later);
}
