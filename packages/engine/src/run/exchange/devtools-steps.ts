// One step in the words of the DevTools Recorder, and back: only what both sides mean alike.
import type { Step, StepOf, StepType } from '@weft/contract';
import { PageError } from '../../errors.ts';
import { parseElementPath } from '../../html/selectors/elements.ts';
import { isMembers } from '../value.ts';
import { flagIn, literalTemplate, numberIn, objectIn, objectsIn, textIn } from './untrusted.ts';

type Members = Readonly<Record<string, unknown>>;

/** A step without its id, as an import reads it. */
export type IdlessStep = { readonly [Type in StepType]: Omit<StepOf<Type>, 'id'> }[StepType];

/** What a step of a recording means here, and what of it is not taken, one sentence each. */
export interface ReadStep {
  readonly step: IdlessStep | undefined;
  readonly lost: readonly string[];
}

/** Gives the text that a template stands for in a recording; undefined for one that is only known in a run. */
export type Spell = (template: string) => string;

const TIMEOUT_MAX = 30_000;
const TEXT_MAX = 20_000;
const PIXELS_MAX = 100_000;
const BUTTONS = [
  ['primary', 'left'],
  ['auxiliary', 'middle'],
  ['secondary', 'right'],
] as const;

/** Reads one step. Its texts become templates that give them back. */
export function readDevToolsStep(step: Members, flowTimeout: number | undefined): ReadStep {
  const lost: string[] = [];
  const type = textIn(step, 'type') ?? '';
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  if (!read) return { step: undefined, lost: [type === '' ? 'The step has no type.' : `There is no step "${type.slice(0, 60)}" here.`] };
  const body = read(step, lost);
  if (typeof body === 'string') return { step: undefined, lost: [body] };
  if (Object.values(body).some((value) => typeof value === 'string' && value.length > TEXT_MAX))
    return { step: undefined, lost: [`The step holds a text of more than ${TEXT_MAX} characters.`] };
  const timeout = numberIn(step, 'timeout') ?? flowTimeout;
  const ms = timeout === undefined ? undefined : Math.min(Math.max(Math.round(timeout), 1), TIMEOUT_MAX);
  if (!Object.hasOwn(body, 'asserted_events')) loseEvents(step, lost);
  if (!Object.hasOwn(body, 'target')) loseTarget(step, lost);
  return { step: { ...body, ...(ms === undefined ? {} : { timeout: ms }) } as IdlessStep, lost };
}

/** The same in DevTools' words; undefined for a step that it has no word for. */
export function writeDevToolsStep(step: Step, spell: Spell): Members | undefined {
  const body = writeBody(step, spell);
  if (!body) return undefined;
  const timeout = step.timeout !== undefined && step.timeout <= TIMEOUT_MAX ? { timeout: step.timeout } : {};
  return { type: step.type, ...timeout, ...body };
}

type Reader = (step: Members, lost: string[]) => Record<string, unknown> | string;

const READERS: Readonly<Record<string, Reader>> = {
  navigate(step, lost) {
    const url = textIn(step, 'url');
    if (url === undefined || url === '') return 'The step names no address.';
    if (!/^https?:/i.test(url)) lost.push(`"${url.slice(0, 80)}" is no http or https address, which is all that runs open.`);
    return { type: 'navigate', url: literalTemplate(url) };
  },
  setViewport(step, lost) {
    const [width, height] = [numberIn(step, 'width'), numberIn(step, 'height')];
    if (width === undefined || height === undefined) return 'The step has no size.';
    const fits = (size: number) => Math.min(Math.max(Math.round(size), 100), 10_000);
    if (numberIn(step, 'deviceScaleFactor') !== undefined && numberIn(step, 'deviceScaleFactor') !== 1)
      lost.push('The scale of the device is left out: pages are shown at 1.');
    for (const name of ['isMobile', 'hasTouch', 'isLandscape'])
      if (flagIn(step, name) === true) lost.push(`"${name}" is left out: a window is no telephone.`);
    return { type: 'setViewport', width: fits(width), height: fits(height) };
  },
  emulateNetworkConditions(step) {
    const of = (name: string) => Math.max(numberIn(step, name) ?? -1, -1);
    return {
      type: 'emulateNetworkConditions',
      download: of('download'),
      upload: of('upload'),
      latency: Math.min(Math.max(numberIn(step, 'latency') ?? 0, 0), 600_000),
    };
  },
  close: () => ({ type: 'close' }),
  click: (step, lost) => readPointer('click', step, lost),
  doubleClick: (step, lost) => readPointer('doubleClick', step, lost),
  hover: (step, lost) => readOn(step, lost, (element) => ({ type: 'hover', ...element, ...readEvents(step) })),
  change: (step, lost) =>
    readOn(step, lost, (element) => ({ type: 'change', ...element, value: literalTemplate(textIn(step, 'value') ?? '') })),
  keyDown: (step) => readKey('keyDown', step),
  keyUp: (step) => readKey('keyUp', step),
  scroll(step, lost) {
    const to = { x: pixelsIn(step, 'x') ?? 0, y: pixelsIn(step, 'y') ?? 0 };
    if (!Array.isArray(step['selectors'])) return { type: 'scroll', ...to, ...readPlace(step) };
    return readOn(step, lost, (element) => ({ type: 'scroll', ...to, ...element }));
  },
  waitForElement(step, lost) {
    const operator = ['>=', '==', '<='].find((each) => each === step['operator']) ?? '>=';
    const count = Math.min(Math.max(Math.round(numberIn(step, 'count') ?? 1), 0), 100_000);
    const attributes = objectIn(step, 'attributes');
    const texts = attributes && Object.fromEntries(Object.entries(attributes).filter(([, value]) => typeof value === 'string'));
    const properties = objectIn(step, 'properties');
    return readOn(step, lost, (element) => ({
      type: 'waitForElement',
      ...element,
      operator,
      count,
      visible: flagIn(step, 'visible') ?? true,
      ...(texts ? { attributes: texts } : {}),
      ...(properties ? { properties } : {}),
    }));
  },
  waitForExpression(step) {
    const expression = textIn(step, 'expression') ?? '';
    const { frame } = readPlace(step);
    return expression === '' ? 'The step has no expression.' : { type: 'waitForExpression', expression, ...(frame ? { frame } : {}) };
  },
};

function readKey(type: 'keyDown' | 'keyUp', step: Members): Record<string, unknown> | string {
  const key = textIn(step, 'key') ?? '';
  return key === '' ? 'The step names no key.' : { type, key: key.slice(0, 50) };
}

function readPointer(type: 'click' | 'doubleClick', step: Members, lost: string[]): Record<string, unknown> | string {
  const [x, y, duration] = [pixelsIn(step, 'offsetX'), pixelsIn(step, 'offsetY'), numberIn(step, 'duration')];
  const written = textIn(step, 'button');
  const button = BUTTONS.find(([name]) => name === written)?.[1];
  if (written !== undefined && !button) lost.push(`The button "${written.slice(0, 20)}" is left out: there are left, middle and right.`);
  const device = textIn(step, 'deviceType');
  if (device !== undefined && device !== 'mouse') lost.push(`The "${device.slice(0, 20)}" is left out: the mouse does it.`);
  return readOn(step, lost, (element) => ({
    type,
    ...element,
    ...(button && button !== 'left' ? { button } : {}),
    ...(x === undefined || y === undefined ? {} : { offset_x: x, offset_y: y }),
    ...(duration === undefined ? {} : { duration: Math.min(Math.max(Math.round(duration), 0), 60_000) }),
    ...readEvents(step),
  }));
}

function readOn(
  step: Members,
  lost: string[],
  make: (element: Record<string, unknown>) => Record<string, unknown>,
): Record<string, unknown> | string {
  const selectors = readSelectors(step['selectors'], lost);
  return selectors.length === 0 ? 'The step has no selector.' : make({ selectors, ...readPlace(step) });
}

/** One part alone stands as itself. */
function readSelectors(written: unknown, lost: string[]): readonly (string | readonly string[])[] {
  const all = Array.isArray(written) ? (written as readonly unknown[]) : [];
  const read = all.flatMap((each): (string | readonly string[])[] => {
    const parts = (Array.isArray(each) ? (each as readonly unknown[]) : [each]).filter((part) => typeof part === 'string' && part !== '');
    const texts = parts.filter((part): part is string => typeof part === 'string' && part.length <= 4000);
    if (texts.length === 0 || texts.length < parts.length || texts.length > 10) return [];
    const [first] = texts;
    const path = texts.length === 1 && first !== undefined ? first : texts;
    return isReadable(path) ? [path] : [];
  });
  if (read.length < all.length)
    lost.push('Selectors that say nothing, can not be read, or are longer than 4,000 characters or 10 parts are left out.');
  if (read.length > 20) lost.push('Selectors behind the twentieth are left out.');
  return read.slice(0, 20);
}

function isReadable(path: string | readonly string[]): boolean {
  try {
    parseElementPath(path);
    return true;
  } catch (error) {
    if (error instanceof PageError) return false;
    throw error;
  }
}

function readPlace(step: Members): { readonly frame?: readonly number[]; readonly target?: string } {
  const { frame } = step;
  const target = textIn(step, 'target');
  const indices = Array.isArray(frame) ? frame.filter((each): each is number => Number.isInteger(each) && each >= 0 && each < 1000) : [];
  return {
    ...(indices.length > 0 && indices.length <= 10 ? { frame: indices } : {}),
    ...(target === undefined || target === '' ? {} : { target: literalTemplate(target) }),
  };
}

function readEvents(step: Members): { readonly asserted_events?: readonly object[] } {
  const events = objectsIn(step, 'assertedEvents')
    .slice(0, 5)
    .map((event) => {
      const [url, title] = [textIn(event, 'url'), textIn(event, 'title')];
      return {
        type: 'navigation',
        ...(url ? { url: literalTemplate(url) } : {}),
        ...(title ? { title: literalTemplate(title) } : {}),
      };
    });
  return events.length === 0 ? {} : { asserted_events: events };
}

function loseEvents(step: Members, lost: string[]): void {
  for (const event of objectsIn(step, 'assertedEvents')) {
    const url = textIn(event, 'url');
    if (url && url !== step['url'])
      lost.push(`That ${url.slice(0, 200)} followed is not checked: only clicks and hovers say what must follow.`);
  }
}

/** `main` is where such a step acts anyway while there is one page. */
function loseTarget(step: Members, lost: string[]): void {
  const target = textIn(step, 'target');
  if (target !== undefined && target !== '' && target !== 'main')
    lost.push(`The page ${target.slice(0, 200)} is left out: this step acts on the newest page.`);
}

/** Without the sign of a zero, which JSON does not keep. */
function pixelsIn(step: Members, name: string): number | undefined {
  const value = numberIn(step, name);
  return value === undefined ? undefined : Math.min(Math.max(Math.round(value), -PIXELS_MAX), PIXELS_MAX) + 0;
}

function writeBody(step: Step, spell: Spell): Members | undefined {
  switch (step.type) {
    case 'navigate':
      return step.wait_until === undefined || step.wait_until === 'load' ? { url: spell(step.url) } : undefined;
    case 'setViewport':
      return { width: step.width, height: step.height, deviceScaleFactor: 1, isMobile: false, hasTouch: false, isLandscape: false };
    case 'emulateNetworkConditions':
      return { download: step.download, upload: step.upload, latency: step.latency };
    case 'close':
      return {};
    case 'click':
    case 'doubleClick':
      return writeOn(step, spell, {
        ...(step.button === undefined ? {} : { button: BUTTONS.find(([, ours]) => ours === step.button)?.[0] }),
        // DevTools knows no middle: a click without a place lands just inside of the corner.
        offsetX: step.offset_x ?? 1,
        offsetY: step.offset_y ?? 1,
        ...(step.duration === undefined ? {} : { duration: step.duration }),
        ...writeEvents(step.asserted_events, spell),
      });
    case 'hover':
      return writeOn(step, spell, writeEvents(step.asserted_events, spell));
    case 'change':
      return writeOn(step, spell, { value: spell(step.value) });
    case 'keyDown':
    case 'keyUp':
      return { key: step.key };
    case 'scroll':
      return writeScroll(step, spell);
    case 'waitForElement':
      return writeOn(step, spell, {
        operator: step.operator ?? '>=',
        count: step.count ?? 1,
        visible: step.visible ?? true,
        ...(step.attributes ? { attributes: step.attributes } : {}),
        ...(step.properties ? { properties: step.properties } : {}),
      });
    case 'waitForExpression':
      return { expression: step.expression, ...(step.frame ? { frame: step.frame } : {}) };
    default:
      return undefined;
  }
}

/** Without a place ours goes to the end, and DevTools' to the beginning. */
function writeScroll(step: StepOf<'scroll'>, spell: Spell): Members | undefined {
  const { selectors, x, y } = step;
  if (x === undefined && y === undefined) return undefined;
  const to = { x: x ?? 0, y: y ?? 0 };
  return selectors ? writeOn({ ...step, selectors }, spell, to) : { ...writePlace(step, spell), ...to };
}

interface OnElement {
  readonly selectors: StepOf<'click'>['selectors'];
  readonly frame?: readonly number[] | undefined;
  readonly target?: string | undefined;
}

function writeOn(step: OnElement, spell: Spell, rest: Members): Members | undefined {
  const selectors = step.selectors.flatMap((each) => {
    const parts = [each].flat().map(writeSelector);
    const known = parts.filter((part) => part !== undefined);
    return known.length === parts.length ? [known] : [];
  });
  return selectors.length === 0 ? undefined : { ...writePlace(step, spell), selectors, ...rest };
}

function writePlace({ frame, target }: Pick<OnElement, 'frame' | 'target'>, spell: Spell): Members {
  return { ...(target === undefined ? {} : { target: spell(target) }), ...(frame ? { frame } : {}) };
}

/** Ours, as DevTools would write it: roles and labels are what it calls ARIA. */
function writeSelector(selector: string): string | undefined {
  const [, kind = '', rest = ''] = /^(css|xpath|text|aria|pierce|role|label|regex|jsonpath)\/(.*)$/s.exec(selector) ?? [];
  if (kind === '') return /^[/(]/.test(selector) ? `xpath/${selector}` : selector.startsWith('$') ? undefined : selector;
  if (kind === 'css') return rest;
  const words = /^"((?:[^"\\]|\\.)*)"$/s.exec(rest.trim())?.[1]?.replace(/\\(.)/gs, '$1') ?? rest;
  if (kind === 'label') return `aria/${words}`;
  if (kind === 'role') {
    const role = /^([a-z]+)\[name="((?:[^"\\]|\\.)*)"\]$/s.exec(rest);
    return role ? `aria/${(role[2] ?? '').replace(/\\(.)/gs, '$1')}[role="${role[1] ?? ''}"]` : undefined;
  }
  return kind === 'regex' || kind === 'jsonpath' ? undefined : selector;
}

function writeEvents(events: StepOf<'click'>['asserted_events'], spell: Spell): Members {
  if (!events || events.length === 0) return {};
  const written = events.map(({ type, url, title }) => ({
    type,
    ...(url === undefined ? {} : { url: spell(url) }),
    ...(title === undefined ? {} : { title: spell(title) }),
  }));
  return { assertedEvents: written };
}

/** True for JSON that names the type of a step. */
export function isStepLike(value: unknown): value is Step {
  return isMembers(value) && typeof value['type'] === 'string' && typeof value['id'] === 'string';
}
