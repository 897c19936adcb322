// What the writer of Markdown asks about elements: their place in the flow, what a link or picture points to.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { APART_ELEMENTS } from '../../html/elements.ts';

const HEADINGS: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

/** What a link goes round. */
export interface LinkShape {
  readonly hasBlock: boolean;
  readonly hasHeading: boolean;
  readonly hasText: boolean;
}

const INLINE_TEXT: LinkShape = { hasBlock: false, hasHeading: false, hasText: true };

/** One pass over the link's content, ended when nothing more can be learnt. */
export function shapeOfLink(link: Element): LinkShape {
  const only = link.children.length === 1 ? link.children[0] : undefined;
  if (only?.type === 'text') return INLINE_TEXT;
  const shape = { hasBlock: false, hasHeading: false, hasText: false };
  learnShape(link, shape);
  return shape;
}

function learnShape(element: Element, shape: { -readonly [Key in keyof LinkShape]: boolean }): void {
  for (const node of element.children) {
    if (node.type === 'text') shape.hasText ||= /\S/.test(node.data);
    else if (isTag(node)) {
      shape.hasBlock ||= APART_ELEMENTS.has(node.name);
      shape.hasHeading ||= HEADINGS.has(node.name);
      learnShape(node, shape);
    }
    if (shape.hasHeading && shape.hasText) return;
  }
}

/** Attributes in which pages keep the address of a picture that is loaded late, the most telling first. */
const LATE_SOURCES = ['data-src', 'data-original', 'data-lazy-src', 'data-srcset', 'srcset'];

/** The address of a picture as written, its late one when `src` is absent or a placeholder; undefined for none. */
export function sourceOfImage(image: Element): string | undefined {
  const { attribs } = image;
  if (isPixel(attribs['width']) || isPixel(attribs['height'])) return undefined;
  const source = attribs['src']?.trim();
  if (source && !source.startsWith('data:')) return source;
  for (const name of LATE_SOURCES) {
    const late = attribs[name]?.trim();
    if (late && !late.startsWith('data:')) return name.endsWith('srcset') ? late.split(/,?\s/, 1)[0] : late;
  }
  return undefined;
}

/** Pictures of one pixel count visits. */
function isPixel(size: string | undefined): boolean {
  return size === '1' || size === '0';
}
