// What a model is asked at each step of a walk: the objective, what it did so far, and the page in front of it as data.
import type { ModelQuestion } from '../../model/model.ts';
import { estimateTokens } from '../../model/model.ts';
import { asData, DATA_RULE, plainLine } from '../../model/untrusted.ts';
import { placeOf } from './place-shown.ts';
import type { Sight } from './sight.ts';
import { callSchema, TOOLS } from './tools.ts';
import type { ToolName } from './tools.ts';
import type { WalkOrder, WalkStep } from './walk-order.ts';

/** What a question is made of. */
export interface WalkQuestionParts {
  readonly order: WalkOrder;
  readonly sight: Sight;
  readonly steps: readonly WalkStep[];
  readonly mask: (text: string) => string;
  readonly nonce: string;
  readonly tokensMax: number;
}

const STEPS_SHOWN = 12;
const OBJECTIVE_CHARS = 500;
const OUTPUT_TOKENS = 400;
const TIMEOUT_MS = 60_000;
/** Lines and elements that are left out at once, until the question fits. */
const SHRINK = 0.7;

/** The question, with as much of the page as its tokens allow, the beginning first. */
export function walkQuestion(parts: WalkQuestionParts): ModelQuestion {
  for (let share = 1; ; share *= SHRINK) {
    const question = questionOf(parts, share);
    const tokens = estimateTokens(question.system + question.text + JSON.stringify(question.schema));
    if (tokens <= parts.tokensMax || share < 0.01) return question;
  }
}

function questionOf({ order, sight, steps, mask, nonce }: WalkQuestionParts, share: number): ModelQuestion {
  const lines = sight.lines.slice(0, Math.ceil(sight.lines.length * share));
  const shown = new Set(lines.flatMap((line) => /^\[(e\d+)\] /.exec(line)?.[1] ?? []));
  const within = { ...sight, elements: sight.elements.filter(({ ref }) => shown.has(ref)) };
  const data = {
    url: mask(plainLine(placeOf(sight.url), 300)),
    title: mask(sight.title),
    lists: sight.lists.map(({ ref, count, fields, samples }) => ({ ref, count, fields: fields.map(mask), samples: samples.map(mask) })),
    page: lines.map(mask),
    ...(sight.isCut || share < 1 ? { more: 'The page is longer than what is shown.' } : {}),
    steps: steps
      .slice(-STEPS_SHOWN)
      .map(({ tool, on, outcome, reason = '' }) => `${tool} ${on}: ${outcome}${reason === '' ? '' : `, ${mask(reason)}`}`),
  };
  return {
    name: 'step',
    system: `${systemOf(order.tools)}\n\n${DATA_RULE}`,
    text: `Objective: ${JSON.stringify(mask(plainLine(order.objective, OBJECTIVE_CHARS)))}\n\n${asData(data, nonce)}\n\nWhich one step comes next?`,
    schema: callSchema({ sight: within, tools: order.tools }),
    bounds: { timeoutMs: TIMEOUT_MS, outputTokensMax: OUTPUT_TOKENS },
  };
}

function systemOf(tools: readonly ToolName[]): string {
  const each = tools.map((tool) => `- ${tool}: ${TOOLS[tool]}`).join('\n');
  return `You look for something on one web site by its pages, one step at a time. Your tools:\n${each}\nElements are named by the short names in brackets (e1, e2, ...), lists by l1, l2, ... Members that a tool does not use are "" and false. You stay on the site. You only read and search: nothing is bought, posted, deleted, changed or signed in to, and what tries that is refused. When a list shows what was looked for, read it; then say done.`;
}
