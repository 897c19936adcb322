// What a workflow needs beside public pages: its owner's identity, files, people, other workflows.
import type { Step, StepType } from '@weft/contract';
import type { WorkflowDefinition } from './definition.ts';
import { allSteps, bodiesOf } from '../state.ts';
import { changes, lanesOf } from '../steps/table.ts';
import { TemplateError } from '../template/parse.ts';
import { referencesOf } from '../template/references.ts';
import type { References } from '../template/references.ts';

/** Something that a workflow needs. */
export interface WorkflowNeed {
  readonly kind: 'persona' | 'secret' | 'file' | 'session' | 'pause' | 'call';
  /** Where it stands, such as `steps.2.body.0`. */
  readonly path: string;
}

/** Steps that need something by what they are. */
const OF_STEP: Readonly<Partial<Record<StepType, readonly WorkflowNeed['kind'][]>>> = {
  login: ['persona', 'session'],
  otp: ['persona'],
  upload: ['file'],
  download: ['file'],
  export: ['file'],
  screenshot: ['file'],
  pause: ['pause'],
  call: ['call'],
};

/** Everything that a checked definition needs, in the order of its parts; empty where public pages are enough. */
export function needsOf(definition: WorkflowDefinition): readonly WorkflowNeed[] {
  const { persona_id: personaId, steps, finally: last = [], output } = definition;
  const own: readonly WorkflowNeed[] = personaId === undefined ? [] : [{ kind: 'persona', path: 'persona_id' }];
  return [...own, ...needsOfSteps(steps, 'steps'), ...needsOfSteps(last, 'finally'), ...needsOfTexts(output, 'output')];
}

/** Whether every step can go by plain requests, so that a run of lane `auto` begins without a browser. */
export function goesByHttp({ lane = 'auto', steps, finally: last = [] }: WorkflowDefinition): boolean {
  return lane !== 'browser' && lanesOf([...steps, ...last]).includes('http');
}

/** Whether a run may change something at the far end besides logging in: where it was ended, nobody knows how much of that is done. */
export function mayChange({ steps, finally: last = [] }: Pick<WorkflowDefinition, 'steps' | 'finally'>): boolean {
  return allSteps([...steps, ...last]).some((step) => step.type !== 'login' && changes(step));
}

function needsOfSteps(steps: readonly Step[], path: string): readonly WorkflowNeed[] {
  return steps.flatMap((step, place) => {
    const at = `${path}.${place}`;
    // Its own texts alone: the steps that it holds are looked into by themselves.
    const own = { ...step, body: undefined, branches: undefined, else: undefined };
    return [
      ...(OF_STEP[step.type] ?? []).map((kind) => ({ kind, path: at })),
      ...needsOfTexts('body' in step && typeof step.body === 'string' ? { ...own, body: step.body } : own, at),
      ...bodiesOf(step).flatMap((body, index) => needsOfSteps(body, `${at}.${nameOfBody(step, index)}`)),
    ];
  });
}

/** What the list of steps at `index` of `bodiesOf` is called. */
function nameOfBody(step: Step, index: number): string {
  if (step.type !== 'if') return 'body';
  return index < step.branches.length ? `branches.${index}.body` : 'else';
}

function needsOfTexts(value: unknown, path: string): readonly WorkflowNeed[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => needsOfTexts(inner, `${path}.${name}`));
  if (typeof value !== 'string' || !value.includes('{{')) return [];
  const references = templateIn(value);
  if (!references) return [];
  const { secrets, personaFields, files } = references;
  return [
    ...secrets.map(() => ({ kind: 'secret' as const, path })),
    ...personaFields.map(() => ({ kind: 'persona' as const, path })),
    ...files.map(() => ({ kind: 'file' as const, path })),
  ];
}

/** The templates of a definition were checked; a text that is wrong as one, such as a script, is none. */
function templateIn(text: string): References | undefined {
  try {
    return referencesOf(text);
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}
