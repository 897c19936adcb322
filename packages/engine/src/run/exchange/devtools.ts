// Recordings of the DevTools Recorder as workflows, and workflows as such recordings. What it has no word for goes out as a `customStep`.
import type { NewWorkflow, Step } from '@weft/contract';
import { isMembers } from '../value.ts';
import { parseTemplate } from '../template/parse.ts';
import { isStepLike, readDevToolsStep, writeDevToolsStep } from './devtools-steps.ts';
import type { IdlessStep } from './devtools-steps.ts';
import { dropCoveredKeys } from './covered-keys.ts';
import { hintsOf, proposeInputs } from './typed-values.ts';
import { ExchangeError, canonicalJson, numberIn, objectIn, objectsIn, parseObject, textIn } from './untrusted.ts';
import type { LeftOut } from './untrusted.ts';

/** A workflow that was read, and what of the file is not in it. */
export interface ImportedWorkflow {
  readonly workflow: NewWorkflow;
  readonly leftOut: readonly LeftOut[];
}

type Members = Readonly<Record<string, unknown>>;

/** A step as the recording shows it, and as it really is. */
interface KeptStep {
  readonly from: IdlessStep;
  readonly step: Step;
}

/** The custom steps that are ours. */
const OURS = 'weft';
const STEPS_MAX = 200;
/** Selectors of controls that are chosen from. */
const CHOICE = /(?:^|[\s>/])select(?:$|[.#:[\s>])|\[role="(?:combobox|listbox|checkbox|radio)"\]|type=\\?["']?(?:checkbox|radio)/;

/** The workflow of a recording. Throws ExchangeError for a file that is none. */
export function importDevTools(text: string): ImportedWorkflow {
  const flow = parseObject(text, 'a recording of the DevTools Recorder');
  const { title, steps } = flow;
  if (typeof title !== 'string' || !Array.isArray(steps))
    throw new ExchangeError('A recording of the DevTools Recorder has "title" and "steps".');
  const leftOut: LeftOut[] = [];
  const all = objectsIn(flow, 'steps');
  const header = all.map((step) => ownParameters(step)).find((found) => found !== undefined && isMembers(found['workflow']));
  const read = readSteps(all, numberIn(flow, 'timeout'), header, leftOut);
  if (textIn(flow, 'selectorAttribute') !== undefined)
    leftOut.push({ path: 'selectorAttribute', message: 'It says how selectors were written, and they are.' });
  const kept = header ? read : proposeValues(dropCoveredKeys(read, leftOut));
  const { inputs, steps: named } = 'inputs' in kept ? kept : { inputs: undefined, steps: kept };
  if (named.length > STEPS_MAX)
    leftOut.push({ path: `steps.${STEPS_MAX}`, message: `A workflow has at most ${STEPS_MAX} steps; the rest is left out.` });
  if (named.length === 0) throw new ExchangeError('Nothing of the recording can be taken.');
  const members: Members = (header && objectIn(header, 'workflow')) ?? {};
  return {
    workflow: {
      ...members,
      name: title.trim().slice(0, 200) || 'Recording',
      steps: withIds(named).slice(0, STEPS_MAX),
      ...(inputs ? { inputs } : {}),
    },
    leftOut,
  };
}

/** The recording of a workflow, as JSON: DevTools takes it, and importing it again gives the same workflow. */
export function exportDevTools(workflow: NewWorkflow): string {
  const { name, steps, ...members } = workflow;
  const spell = speller(workflow);
  const written = steps.map((step) => {
    const native = writeDevToolsStep(step, spell);
    const from = native && readDevToolsStep(native, undefined).step;
    return native && from ? { native, kept: { from, step } } : { native: customStep({ step }) };
  });
  const kept = keptOf(written.map((each) => each.kept));
  const header = customStep({ format: 1, workflow: members, steps: kept });
  return `${JSON.stringify({ title: name, steps: [header, ...written.map(({ native }) => native)] }, undefined, 2)}\n`;
}

/** Those that the recording does not say in full, and those that it says in the same words: which is which is told by their order. */
function keptOf(steps: readonly (KeptStep | undefined)[]): readonly KeptStep[] {
  const unlike = steps.flatMap((each, place) =>
    each && canonicalJson({ ...each.from, id: idAt(place) }) !== canonicalJson(each.step) ? [canonicalJson(each.from)] : [],
  );
  const texts = new Set(unlike);
  return steps.filter((each) => each !== undefined).filter(({ from }) => texts.has(canonicalJson(from)));
}

type UnnamedStep = IdlessStep & { readonly id?: string | undefined };

function readSteps(
  all: readonly Members[],
  timeout: number | undefined,
  header: Members | undefined,
  leftOut: LeftOut[],
): readonly UnnamedStep[] {
  const kept = (header ? objectsIn(header, 'steps') : []).filter(
    (each): each is Members & KeptStep => isMembers(each['from']) && isStepLike(each['step']),
  );
  let next = 0;
  return all.flatMap((step, place): UnnamedStep[] => {
    const own = ownParameters(step);
    if (own) return isStepLike(own['step']) ? [own['step']] : [];
    const { step: read, lost } = readDevToolsStep(step, timeout);
    for (const message of lost) leftOut.push({ path: `steps.${place}`, message });
    if (!read) return [];
    const text = canonicalJson(read);
    const found = kept.findIndex(({ from }, at) => at >= next && canonicalJson(from) === text);
    if (found === -1) return [read];
    next = found + 1;
    const original = kept[found]?.step;
    return [original ?? read];
  });
}

function ownParameters(step: Members): Members | undefined {
  return step['type'] === 'customStep' && step['name'] === OURS ? objectIn(step, 'parameters') : undefined;
}

function customStep(parameters: Members): Members {
  return { type: 'customStep', name: OURS, parameters };
}

function proposeValues(steps: readonly UnnamedStep[]): { readonly steps: readonly UnnamedStep[]; readonly inputs: Members | undefined } {
  const inputs = proposeInputs();
  const proposed = steps.map((step): UnnamedStep => {
    if (step.type !== 'change') return step;
    // What was read is a literal, and giving it back gives the text.
    const value = step.value.replaceAll('{{"{{"}}', '{{');
    const hints = hintsOf(step.selectors);
    return { ...step, value: isChosen(step.selectors) ? step.value : inputs.propose({ value, hints }) };
  });
  return { steps: proposed, inputs: inputs.schema() };
}

/** A choice from a list is one of those that the page offers. */
function isChosen(selectors: readonly (string | readonly string[])[]): boolean {
  return selectors.flat().some((selector) => CHOICE.test(selector));
}

function withIds(steps: readonly UnnamedStep[]): Step[] {
  const taken = new Set(steps.map(({ id }) => id));
  return steps.map((step, place) => {
    if (step.id !== undefined) return step as Step;
    let id = idAt(place);
    for (let count = 2; taken.has(id); count += 1) id = `${idAt(place)}_${count}`;
    taken.add(id);
    return { ...step, id } as Step;
  });
}

function idAt(place: number): string {
  return `s${place + 1}`;
}

/** Templates as texts: an input stands as its default, and what is only known in a run as its template. */
function speller({ inputs }: NewWorkflow): (template: string) => string {
  const properties = inputs ? objectIn(inputs, 'properties') : undefined;
  const defaultOf = (path: readonly string[]): string | undefined => {
    const [root, name, ...rest] = path;
    const schema = root === 'inputs' && name !== undefined && rest.length === 0 && properties ? objectIn(properties, name) : undefined;
    return schema && textIn(schema, 'default');
  };
  return (template) => {
    const spelt = parseTemplate(template).map((part) => {
      if (typeof part === 'string') return part;
      if (part.kind === 'literal' && part.filters.length === 0) return String(part.value);
      return part.kind === 'path' && part.filters.length === 0 ? defaultOf(part.path) : undefined;
    });
    return spelt.some((part) => part === undefined) ? template : spelt.join('');
  };
}
