// Steps that act in a browser as a person does.
import type { StepOf } from '@weft/contract';
import { PageError } from '../../errors.ts';
import { RunFault } from '../fault.ts';
import { BOTH, BROWSER } from '../step-work.ts';
import type { StepKind, StepWork } from '../step-work.ts';
import { SealedText } from '../value.ts';

type Pointer = StepOf<'click'> | StepOf<'doubleClick'>;

/** Acts of pointer and keys. */
export const ACTS = {
  click: { lanes: () => BROWSER, changes: () => true, run: (step, work) => point(step, 1, work) } satisfies StepKind<StepOf<'click'>>,
  doubleClick: { lanes: () => BROWSER, changes: () => true, run: (step, work) => point(step, 2, work) } satisfies StepKind<
    StepOf<'doubleClick'>
  >,
  hover: {
    lanes: () => BROWSER,
    run: async (step, work) => {
      await (await work.session()).hover(work.element(step), work.bounds);
      await requireEvents(step.asserted_events, work);
    },
  } satisfies StepKind<StepOf<'hover'>>,
  change: {
    lanes: () => BROWSER,
    changes: () => true,
    run: async (step, work) => {
      const value = work.text(step.value);
      const typed = await work.typed(value);
      await (await work.session()).change(work.element(step), typed, { isSecret: value instanceof SealedText }, work.bounds);
    },
  } satisfies StepKind<StepOf<'change'>>,
  keyDown: {
    lanes: () => BROWSER,
    changes: () => true,
    run: async (step, work) => (await work.session()).keyDown(step.key, work.bounds),
  } satisfies StepKind<StepOf<'keyDown'>>,
  keyUp: {
    lanes: () => BROWSER,
    changes: () => true,
    run: async (step, work) => (await work.session()).keyUp(step.key, work.bounds),
  } satisfies StepKind<StepOf<'keyUp'>>,
  scroll: {
    lanes: () => BROWSER,
    run: async (step, work) => {
      const { selectors, frame, target } = step;
      const element = selectors && work.element({ selectors, frame, target });
      await (await work.session()).scroll(element, { x: step.x, y: step.y }, work.bounds);
    },
  } satisfies StepKind<StepOf<'scroll'>>,
  dialog: {
    lanes: () => BROWSER,
    run: async (step, work) => {
      const text = step.prompt_text === undefined ? undefined : work.plain(step.prompt_text);
      (await work.session()).answerDialog({ accept: step.accept, text });
    },
  } satisfies StepKind<StepOf<'dialog'>>,
  waitForExpression: {
    lanes: () => BROWSER,
    run: async (step, work) => (await work.session()).waitForExpression(step.expression, step.frame, work.bounds),
  } satisfies StepKind<StepOf<'waitForExpression'>>,
  waitForElement: {
    // What is shown, and properties, are known in a browser alone.
    lanes: (step) => (step.visible === undefined && step.properties === undefined && step.frame === undefined ? BOTH : BROWSER),
    run: waitForElement,
  } satisfies StepKind<StepOf<'waitForElement'>>,
} as const;

async function point(step: Pointer, clicks: 1 | 2, work: StepWork): Promise<void> {
  const { button, offset_x: x, offset_y: y, duration: holdMs } = step;
  const offset = x === undefined || y === undefined ? undefined : { x, y };
  await (await work.session()).click(work.element(step), { button, offset, clicks, holdMs }, work.bounds);
  await requireEvents(step.asserted_events, work);
}

/** Waits for the page that must have followed. Throws RunFault `assert` where it does not come. */
async function requireEvents(events: StepOf<'click'>['asserted_events'], work: StepWork): Promise<void> {
  for (const { url, title } of events ?? []) {
    const wanted = [
      ...(url === undefined ? [] : [`location.href === ${JSON.stringify(await work.address(url))}`]),
      ...(title === undefined ? [] : [`document.title === ${JSON.stringify(work.plain(title))}`]),
    ].join(' && ');
    if (wanted === '') continue;
    try {
      await (await work.session()).waitForExpression(wanted, undefined, work.bounds);
    } catch (error) {
      if (!(error instanceof PageError) || error.code !== 'timeout') throw error;
      throw new RunFault('assert', `After the act no page followed for which ${wanted} holds.`);
    }
  }
}

/** In the HTTP lane the page stays as it came: what is not there now never will be. */
async function waitForElement(step: StepOf<'waitForElement'>, work: StepWork): Promise<void> {
  const { operator = '>=', count = 1, visible: isVisible, attributes, properties, selectors } = step;
  const driver = await work.room.driver();
  if (driver.session) {
    await driver.session.waitForElement(work.element(step), { operator, count, isVisible, attributes, properties }, work.bounds);
    return;
  }
  const names = Object.entries(attributes ?? {});
  const [first] = names;
  const read = async (attr: string | undefined) =>
    (await work.read({ kind: 'values', of: { selectors, ...(attr === undefined ? {} : { attr }) } })).values ?? [];
  if (first === undefined) return requireCount((await read(undefined)).length, operator, count, work);
  const columns = await Promise.all(names.map(async ([attr, wanted]) => (await read(attr)).map((value) => value === wanted)));
  const fitting = (columns[0] ?? []).filter((_, place) => columns.every((column) => column[place] === true)).length;
  requireCount(fitting, operator, count, work);
}

function requireCount(found: number, operator: '>=' | '==' | '<=', count: number, work: StepWork): void {
  const holds = operator === '>=' ? found >= count : operator === '==' ? found === count : found <= count;
  if (!holds)
    throw new PageError('selector', `${work.url ?? 'The page'} has ${found} such elements, and ${operator} ${count} are waited for.`);
}
