// Targets as models are offered them.
import { NewTarget, TARGET_RUN_SECONDS, Target, TargetChange, TargetRun, targetParams } from '@weft/contract';
import { z } from 'zod';
import { tool } from '../mcp/tool.ts';
import type { Tool } from '../mcp/tool.ts';
import type { TargetRuns } from './runs.ts';
import type { Targets } from './target.ts';

interface TargetToolPorts {
  readonly targets: Targets;
  readonly targetRuns: TargetRuns;
  /** Called once a check waits for a worker. */
  onDue(): void;
}

const { id } = targetParams.shape;
const slice = {
  limit: z.int().min(1).max(100).optional().describe('How many at most; 20 unless said.'),
  offset: z.int().min(0).optional().describe('How many to pass over first.'),
};
const SLICE = { limit: 20, offset: 0 };
const counted = <Item extends z.ZodType>(item: Item) => z.strictObject({ data: z.array(item), count: z.int(), total: z.int() });

/** Tools of targets, each metered as its call is. */
export function targetTools({ targets, targetRuns, onDue }: TargetToolPorts): Readonly<Record<string, Tool<z.ZodType>>> {
  return {
    target_changes: tool({
      description: 'Lists what changed of a target, or of all targets, newest first. Free.',
      input: z.strictObject({ id: id.optional().describe('Of this target alone.'), ...slice }),
      output: counted(TargetChange),
      async call(accountId, { id: targetId, ...asked }) {
        const query = { ...SLICE, ...asked };
        const { data, total } = await (targetId === undefined
          ? targets.recentChanges(accountId, query)
          : targets.changes(accountId, targetId, query));
        return { data, count: data.length, total };
      },
    }),
    target_check: tool({
      description:
        'Looks at a target now and says what changed. Costs 1 credit over HTTP, 2 where a browser renders the page, 0 where it fails.',
      input: targetParams,
      output: TargetRun,
      async call(accountId, { id: targetId }, signal) {
        const runId = await targetRuns.ask(accountId, targetId);
        onDue();
        return { ...(await targetRuns.wait(accountId, runId, TARGET_RUN_SECONDS * 1000, signal)) };
      },
    }),
    target_create: tool({
      description:
        'Watches a page: an address is enough, selectors say what of it. It is checked at once and then as scheduled, every hour unless said; each check costs what target_check costs.',
      input: NewTarget,
      output: Target,
      async call(accountId, body) {
        const made = await targets.create(accountId, body);
        onDue();
        return { ...(await targets.read(accountId, made)) };
      },
    }),
    target_list: tool({
      description: 'Lists the pages that are watched and how they stand, newest first. Free.',
      input: z.strictObject({
        q: z.string().min(1).max(200).optional().describe('Only those whose name or address holds this.'),
        ...slice,
      }),
      output: counted(Target),
      async call(accountId, asked) {
        const { data, total } = await targets.list(accountId, { ...SLICE, ...asked });
        return { data, count: data.length, total };
      },
    }),
  };
}
