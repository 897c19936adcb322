// The step in which a model looks for something on the site that is open: it points, and nothing but reading and searching comes of it.
import type { StepOf } from '@weft/contract';
import { TOOL_NAMES } from '../../build/ai/tools.ts';
import { walkSite } from '../../build/ai/walk.ts';
import type { WalkEnd } from '../../build/ai/walk.ts';
import { AI_TOKENS_MAX } from '../../build/ai/walk-order.ts';
import type { WalkStep } from '../../build/ai/walk-order.ts';
import { RunFault } from '../fault.ts';
import type { WorkflowPorts } from '../ports.ts';
import type { Row } from '../reading/rows.ts';
import { BROWSER } from '../step-work.ts';
import type { StepKind, StepWork } from '../step-work.ts';

const STEPS_MAX = 20;
const ACT_MS = 15_000;

/** What a model does. */
export const AI = {
  ai: { lanes: () => BROWSER, run: lookFor } satisfies StepKind<StepOf<'ai'>>,
} as const;

async function lookFor(step: StepOf<'ai'>, work: StepWork): Promise<unknown> {
  const { ai } = work.state.ports;
  if (!ai) throw new RunFault('model', `${step.id} needs a model, and the settings name none; see docs/models.md on how to name one.`);
  const siteUrl = (await work.room.driver()).url();
  if (siteUrl === undefined) throw new RunFault('input', 'No page is open yet: a step before this one must open one.');
  const end = await walk(step, work, ai, siteUrl);
  work.url = (await work.room.driver()).url();
  const rows = rowsOf(end, work);
  if (step.success === undefined && rows.length === 0)
    throw new RunFault(end.stopped === undefined ? 'no_rows' : 'model', failureOf(step, end));
  if (step.success !== undefined && !(await work.holds(step.success))) throw new RunFault('assert', failureOf(step, end));
  if (work.state.rowSource === step.id) await work.state.keepRows(rows, undefined);
  const { inputTokens: tokens_in, outputTokens: tokens_out, requests } = end.spent;
  return {
    rows,
    steps: end.steps.length,
    url: work.state.masker.text(work.url ?? ''),
    model: { label: ai.model.label, tokens_in, tokens_out, requests },
  };
}

async function walk(step: StepOf<'ai'>, work: StepWork, ai: NonNullable<WorkflowPorts['ai']>, siteUrl: string): Promise<WalkEnd> {
  const { state, room } = work;
  const { ports } = state;
  return await walkSite(
    {
      objective: work.plain(step.goal),
      siteUrl,
      tools: step.tools ? [...new Set([...step.tools, 'done' as const])] : TOOL_NAMES,
      stepsMax: step.max_steps ?? STEPS_MAX,
      tokensMax: AI_TOKENS_MAX,
      actTimeoutMs: ACT_MS,
    },
    {
      ...ai,
      session: await work.session(),
      mask: (text) => state.masker.text(text),
      clock: ports.clock,
      spend: async () => true,
      tell: async (done) =>
        await ports.tell({ type: 'log', level: done.outcome === 'done' ? 'info' : 'warn', message: sentenceOf(step.id, done) }),
      onPage: async () => undefined,
    },
    room.signal,
  );
}

/** Rows of all lists that were read, those of a page that was read twice once. */
function rowsOf({ lists }: WalkEnd, work: StepWork): readonly Row[] {
  const known = new Set<string>();
  const fresh = lists
    .flatMap(({ rows }) => rows)
    .filter((row) => {
      const key = JSON.stringify(row);
      return !known.has(key) && known.add(key);
    });
  return work.state.masker.value(fresh);
}

function failureOf({ id, success }: StepOf<'ai'>, { stopped, steps }: WalkEnd): string {
  const lacking = success === undefined ? 'read no list' : 'did not come to what "success" says';
  return `${id} ${lacking} within ${steps.length} steps. ${stopped ?? 'The model said that it was done.'}`;
}

function sentenceOf(id: string, { tool, on, outcome, reason }: WalkStep): string {
  return `${id}: ${tool}${on === '' ? '' : ` ${on}`}, ${outcome}${reason === undefined ? '' : `: ${reason}`}`;
}
