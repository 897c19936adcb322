// Makes one step of a login that was recorded: what was typed and sent becomes `login`, which sends nothing while its session lasts.
import type { Step } from '@weft/contract';
import { isTag } from 'domhandler';
import type { Element } from 'domhandler';
import { findForms } from '../../extract/forms/forms.ts';
import { cssPathOf, readUniqueIds } from '../../html/selectors/css-path.ts';
import { findElements, parseElementPath } from '../../html/selectors/elements.ts';
import { parseTree } from '../../html/tree.ts';
import type { Wrapper } from '../../records/wrapper.ts';
import type { PageTree } from '../../html/tree.ts';
import { elementsBelow } from '../../html/walk.ts';
import { PERSONA_CODE, PERSONA_PASSWORD } from '../exchange/typed-values.ts';
import { literalTemplate } from '../exchange/untrusted.ts';
import { wayOut } from '../reading/way-out.ts';
import { describeElement } from './element-selectors.ts';

/** A step that is not checked yet. */
export type Draft = { readonly id: string; readonly type: Step['type'] } & Readonly<Record<string, unknown>>;

/** A page that somebody acted on, as a copy. */
export interface SeenPage {
  readonly url: string;
  readonly html: string;
}

/** What a recorder saw around a login. `place` counts the steps before it. */
export interface LoginSeen {
  /** Where the password was typed. */
  readonly form: SeenPage;
  /** The click before it, where its page had no place for a password. */
  readonly opener: string | undefined;
  /** Pages of later acts, in order. */
  readonly later: readonly (SeenPage & { readonly place: number })[];
}

/** The steps with the login as one, or why it stays as it was recorded. */
export type Folded = { readonly steps: readonly Draft[] } | { readonly reason: string };

type Selectors = readonly string[];
type Prints = Readonly<Record<string, { readonly tag: string; readonly type?: string | undefined }>>;

/** From the opener of a form to what holds it and what comes in its place: a toolbar, or a part of one. */
const STEPS_UP_MAX = 3;

/** `steps` as they were recorded, of which one types a password. */
export function foldLogin(steps: readonly Draft[], prints: Prints, seen: LoginSeen): Folded {
  const parts = partsOf(steps, prints, seen);
  if (typeof parts === 'string') return { reason: parts };
  const { start, end, username, password, submit, otp, opener } = parts;
  const formTree = treeOf(seen.form);
  const proof = proofOf(
    steps[end],
    seen.later.filter(({ place }) => place >= end),
    formTree,
    // As `describeElement` wrote them.
    opener as Selectors | undefined,
  );
  if (!proof) return { reason: 'no page behind it shows something that tells that it has worked, such as a link to sign out' };
  const before = steps.slice(0, start);
  const led = before.every(({ type }) => type === 'navigate' || type === 'click');
  const login: Draft = {
    id: steps[start]?.id ?? 'login',
    type: 'login',
    url: literalTemplate(seen.form.url),
    success: { page: { selectors: proof }, op: 'exists' },
    ...(opener === undefined ? {} : { opener }),
    fields: {
      ...(username === undefined ? {} : { username }),
      password,
      ...(otp === undefined ? {} : { otp }),
      ...(submit === undefined ? {} : { submit }),
    },
  };
  return { steps: [...(led ? [] : before), login, ...steps.slice(end)] };
}

interface Parts {
  readonly start: number;
  /** The step behind the last one of the login. */
  readonly end: number;
  readonly username: unknown;
  readonly password: unknown;
  readonly submit: unknown;
  readonly otp: unknown;
  readonly opener: unknown;
}

function partsOf(steps: readonly Draft[], prints: Prints, { opener, later }: LoginSeen): Parts | string {
  const types = (step: Draft | undefined, value: string) => step?.type === 'change' && step['value'] === value;
  const at = steps.findIndex((step) => types(step, PERSONA_PASSWORD));
  if (steps.some((step, place) => place !== at && types(step, PERSONA_PASSWORD))) return 'a password is typed more than once';
  const hasName = steps[at - 1]?.type === 'change';
  const first = at - (hasName ? 1 : 0);
  let end = at + 1;
  // What a box asks is whether the session is to last, which a session that is kept does.
  while (isBox(steps[end], prints)) end++;
  const sent = sending(steps, end);
  if (sent === undefined) return 'nothing sends it right behind the password';
  end = sent;
  let otp: unknown;
  if (types(steps[end], PERSONA_CODE)) {
    otp = steps[end]?.['selectors'];
    // Many forms send themselves with the last digit: what is done next is done elsewhere.
    const page = later.find(({ place }) => place === end + 1);
    const isThere = page !== undefined && finds(otp, treeOf(page));
    end = (isThere ? sending(steps, end + 1) : undefined) ?? end + 1;
  }
  const button = steps[sent - 1]?.type === 'click' ? steps[sent - 1] : undefined;
  const isOpened = first > 0 && steps[first - 1]?.id === opener;
  return {
    start: isOpened ? first - 1 : first,
    end,
    username: hasName ? steps[first]?.['selectors'] : undefined,
    password: steps[at]?.['selectors'],
    submit: button?.['selectors'],
    otp,
    opener: isOpened ? steps[first - 1]?.['selectors'] : undefined,
  };
}

function isBox(step: Draft | undefined, prints: Prints): boolean {
  return step?.type === 'click' && prints[step.id]?.type === 'checkbox';
}

/** The place behind the click or the Enter that stands at `place`; undefined for anything else. */
function sending(steps: readonly Draft[], place: number): number | undefined {
  if (steps[place]?.type === 'click') return place + 1;
  if (steps[place]?.type !== 'keyDown' || steps[place]?.['key'] !== 'Enter') return undefined;
  return steps[place + 1]?.type === 'keyUp' ? place + 2 : place + 1;
}

/** What only somebody who is logged in is shown: the way out, else what was acted on where the login led. */
function proofOf(next: Draft | undefined, later: LoginSeen['later'], form: PageTree, opener: Selectors | undefined): Selectors | undefined {
  const isNew = (selector: string) => findElements(parseElementPath(selector), form).elements.length === 0;
  for (const page of later) {
    const tree = treeOf(page);
    if (findForms(tree).some(({ fields }) => fields.some(({ type }) => type === 'password'))) continue;
    const way = wayOut(tree);
    const selectors = way ? describeElement(way, tree).selectors.filter(isNew) : [];
    if (selectors.length > 0) return selectors;
    const instead = opener && inPlaceOf(opener, form, tree).map((element) => describeElement(element, tree).selectors.filter(isNew));
    const shown = instead?.find((each) => each.length > 0);
    if (shown) return shown;
    break;
  }
  const found = ownSelectors(next).filter(isNew);
  return later.length === 0 || next?.['frame'] !== undefined || found.length === 0 ? undefined : found;
}

/** Those of the element that a step acts on, or of the items that it reads. */
function ownSelectors(step: Draft | undefined): Selectors {
  // As the recorder wrote them.
  const { selectors = [], wrapper } = (step ?? {}) as { readonly selectors?: Selectors; readonly wrapper?: Wrapper };
  return wrapper ? wrapper.selectors.map(({ css }) => css) : selectors;
}

function finds(selectors: unknown, tree: PageTree): boolean {
  // As `describeElement` wrote them.
  return ((selectors ?? []) as readonly string[]).some((selector) => findElements(parseElementPath(selector), tree).elements.length > 0);
}

/** The links and buttons that stand where the opener of the form stood, which is gone. */
function inPlaceOf(opener: Selectors, form: PageTree, tree: PageTree): readonly Element[] {
  // By what it says: another element may stand in its place.
  if (finds(opener.slice(0, 1), tree)) return [];
  const [element] = opener.flatMap((selector) => findElements(parseElementPath(selector), form).elements);
  const ids = readUniqueIds([...elementsBelow(form.root)]);
  let above = element?.parent;
  for (let steps = 0; steps < STEPS_UP_MAX && above && isTag(above); steps++, above = above.parent) {
    const [now] = findElements(parseElementPath(cssPathOf(above, ids)), tree).elements;
    const found = now && isTag(now) ? [...elementsBelow(now)].filter(isTag).filter(({ name }) => name === 'a' || name === 'button') : [];
    if (found.length > 0) return found;
  }
  return [];
}

function treeOf({ html, url }: SeenPage): PageTree {
  return parseTree(html, url, { includeHidden: true });
}
