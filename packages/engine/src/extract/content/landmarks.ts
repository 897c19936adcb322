// The parts of a page that its own markup names: HTML sectioning elements, ARIA roles, schema.org properties.
import type { Element } from 'domhandler';

/** One bit per landmark; the order is part of the trained weights. */
export const LANDMARK = {
  nav: 1 << 0,
  header: 1 << 1,
  footer: 1 << 2,
  aside: 1 << 3,
  form: 1 << 4,
  article: 1 << 5,
  main: 1 << 6,
  section: 1 << 7,
  list: 1 << 8,
  table: 1 << 9,
  figure: 1 << 10,
  quote: 1 << 11,
  details: 1 << 12,
  hidden: 1 << 13,
  noscript: 1 << 14,
  dialog: 1 << 15,
  body: 1 << 16,
  button: 1 << 17,
  muted: 1 << 18,
  panel: 1 << 19,
  item: 1 << 20,
  pre: 1 << 21,
  innerHeader: 1 << 22,
  innerFooter: 1 << 23,
} as const;

/** The landmarks in the order of their bits. */
export const LANDMARK_NAMES: readonly string[] = Object.keys(LANDMARK);

const BY_TAG: Readonly<Record<string, number>> = {
  nav: LANDMARK.nav,
  aside: LANDMARK.aside,
  form: LANDMARK.form,
  fieldset: LANDMARK.form,
  search: LANDMARK.form,
  article: LANDMARK.article,
  main: LANDMARK.main,
  section: LANDMARK.section,
  ul: LANDMARK.list,
  ol: LANDMARK.list,
  dl: LANDMARK.list,
  table: LANDMARK.table,
  figure: LANDMARK.figure,
  blockquote: LANDMARK.quote,
  details: LANDMARK.details,
  noscript: LANDMARK.noscript,
  button: LANDMARK.button,
  pre: LANDMARK.pre,
};

const BY_ROLE: Readonly<Record<string, number>> = {
  navigation: LANDMARK.nav,
  menu: LANDMARK.nav,
  menubar: LANDMARK.nav,
  banner: LANDMARK.header,
  contentinfo: LANDMARK.footer,
  complementary: LANDMARK.aside,
  search: LANDMARK.form,
  form: LANDMARK.form,
  article: LANDMARK.article,
  main: LANDMARK.main,
  button: LANDMARK.button,
  tabpanel: LANDMARK.panel,
};

const BODY_PROPERTY = /\b(?:articleBody|mainContentOfPage|text|description|reviewBody)\b/;

/** The landmarks that `element` itself opens, given those round it. */
export function landmarksOf(element: Element, inherited: number): number {
  const { role, itemprop, itemscope } = element.attribs;
  let found = BY_TAG[element.name] ?? 0;
  if (role !== undefined) found |= BY_ROLE[role.trim().toLowerCase()] ?? 0;
  if (itemprop !== undefined && BODY_PROPERTY.test(itemprop)) found |= LANDMARK.body;
  if (itemscope !== undefined) found |= LANDMARK.item;
  if (element.attribs['aria-hidden'] === 'true') found |= LANDMARK.muted;
  if (isDialog(element)) found |= LANDMARK.dialog;
  return found | edgeOf(element.name, inherited);
}

/** True inside of an element that the page declares to be its content, by the landmarks of what stands there. */
export function isDeclared({ landmarks }: { readonly landmarks: number }): boolean {
  return (landmarks & (LANDMARK.main | LANDMARK.article)) !== 0;
}

/** True for what opens over a page, whatever element it is made of. */
export function isDialog({ name, attribs }: Element): boolean {
  const { role } = attribs;
  return name === 'dialog' || role === 'dialog' || role === 'alertdialog' || attribs['aria-modal'] === 'true';
}

/** A header or footer belongs to the page only outside of main, article, aside, nav and section (HTML-AAM 3.5). */
function edgeOf(name: string, inherited: number): number {
  if (name !== 'header' && name !== 'footer') return 0;
  const inner = (inherited & (LANDMARK.article | LANDMARK.main | LANDMARK.section | LANDMARK.aside | LANDMARK.nav)) !== 0;
  if (name === 'header') return inner ? LANDMARK.innerHeader : LANDMARK.header;
  return inner ? LANDMARK.innerFooter : LANDMARK.footer;
}
