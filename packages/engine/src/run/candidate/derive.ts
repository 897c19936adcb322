// Makes of a browser run that went well the same workflow by HTTP: acts that only led to an address become that address.
import type { Step } from '@weft/contract';
import { literalTemplate } from '../exchange/untrusted.ts';
import type { RunPlan } from '../plan.ts';
import { allSteps, bodiesOf } from '../state.ts';
import type { TracedStep } from './traced-step.ts';
import { changes, lanesOf, lanesOfStep } from '../steps/table.ts';

/** The steps by HTTP, or why there are none. */
export type Derived = { readonly steps: readonly Step[] } | { readonly reason: string };

/** Acts that may lead to an address; others do something that HTTP has no word for. */
const LEADING: ReadonlySet<string> = new Set([
  'click',
  'doubleClick',
  'hover',
  'change',
  'keyDown',
  'keyUp',
  'scroll',
  'setViewport',
  'waitForElement',
  'waitForExpression',
] satisfies Step['type'][]);

/** True for an act that may only have led to an address. */
export function isLeading({ type }: Step): boolean {
  return LEADING.has(type);
}

/** The inputs that `texts`, which are acts as JSON, type. */
export function typedInputs({ inputs }: Pick<RunPlan, 'inputs'>, texts: string): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(inputs).filter(([name]) => new RegExp(String.raw`\{\{\s*inputs\.${name}\b`).test(texts));
}

/** True where a run in a browser may show how HTTP comes to the same. */
export function mayHaveCandidate({ lane, finally: last, until }: RunPlan): boolean {
  return lane === 'auto' && until === undefined && last.length === 0;
}

/** True where only a browser can go the steps as they stand. */
export function actsInBrowser({ steps }: Pick<RunPlan, 'steps'>): boolean {
  return !lanesOf(steps).includes('http');
}

/** `trace` has each step as it began; `writesAtEnd` is counted when the last one was done. */
export function deriveCandidate(plan: RunPlan, trace: readonly TracedStep[], writesAtEnd: number): Derived {
  if (trace.map(({ id }) => id).join() !== plan.steps.map(({ id }) => id).join())
    return { reason: 'its steps were not gone through once each, in their order' };
  const steps: Step[] = [];
  let led: { readonly id: string; readonly texts: string } | undefined;
  for (const [place, step] of plan.steps.entries()) {
    const wrote = (trace[place + 1]?.writes ?? writesAtEnd) > (trace[place]?.writes ?? 0);
    const refused = refusalOf(step, wrote);
    if (refused !== undefined) return { reason: `step ${step.id} ${refused}` };
    if (!lanesOfStep(step).includes('http')) {
      led = { id: step.id, texts: `${led?.texts ?? ''} ${JSON.stringify(step)}` };
      continue;
    }
    if (led && step.type !== 'navigate') {
      const address = addressOf(trace[place]?.url, plan.inputs, led.texts);
      if (typeof address !== 'string') return address;
      steps.push({ id: led.id, type: 'navigate', url: address });
    }
    led = undefined;
    steps.push(step);
  }
  return led ? { reason: `it ends with an act, ${led.id}` } : { steps };
}

function refusalOf(step: Step, wrote: boolean): string | undefined {
  // A login says in both lanes that it is one, and is not sent where the session still holds.
  if (step.type === 'login') return undefined;
  if (wrote) return 'sent something that may change something';
  if (lanesOfStep(step).includes('http')) {
    if (step.type === 'export') return 'writes a file';
    if (allSteps([step]).some(changes)) return 'may change something';
    return bodiesOf(step).length > 0 && !lanesOf([step]).includes('http') ? 'holds steps that act in a browser' : undefined;
  }
  if (!isLeading(step)) return `(${step.type}) does what only a browser can`;
  return step.when !== undefined || step.on_error !== undefined || step.save_as !== undefined
    ? 'is an act that depends on something'
    : undefined;
}

/** The address with the inputs in it; each input that the acts typed must stand there, and as one alone. */
function addressOf(address: string | undefined, inputs: RunPlan['inputs'], texts: string): string | { readonly reason: string } {
  const url = URL.parse(address ?? '');
  if (!url || !/^https?:$/.test(url.protocol)) return { reason: 'its acts led to no address' };
  const typed = typedInputs({ inputs }, texts);
  const found = new Set<string>();
  const part = (text: string): string => {
    const names = typed.filter(([, value]) => String(value) === text).map(([name]) => name);
    if (names.length !== 1) return literalTemplate(encodeURIComponent(text));
    found.add(names[0] ?? '');
    return `{{inputs.${names[0]}}}`;
  };
  const path = url.pathname
    .split('/')
    .map((segment) => part(decoded(segment)))
    .join('/');
  const query = [...url.searchParams].map(([name, value]) => `${literalTemplate(encodeURIComponent(name))}=${part(value)}`).join('&');
  const missing = typed.find(([name]) => !found.has(name));
  if (missing) return { reason: `the input ${missing[0]} is typed, and does not stand by itself in the address that this leads to` };
  return `${url.origin}${path}${query === '' ? '' : `?${query}`}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
