// What the cloud offers as tools of the Model Context Protocol (D47): each is metered as the call that it stands for.
import {
  AppError,
  MapOfCloud,
  MappedSite,
  NewTarget,
  ScrapePage,
  Scraped,
  TARGET_RUN_SECONDS,
  Target,
  TargetChange,
  TargetRun,
  targetParams,
} from '@weft/contract';
import { parsePart } from '@weft/serve';
import type { Actor, McpOutcome, McpTool, McpTools } from '@weft/serve';
import { z } from 'zod';
import { accountOf } from '../accounts/account.ts';
import type { Credits } from '../credits/credits.ts';
import { MAP_PRICE } from '../credits/prices.ts';
import type { Maps } from '../map/map.ts';
import type { Scrapes } from '../scrape/scrape.ts';
import type { TargetRuns } from '../targets/runs.ts';
import type { Targets } from '../targets/target.ts';

interface ToolPorts {
  readonly scrapes: Scrapes;
  readonly maps: Maps;
  readonly credits: Credits;
  readonly targets: Targets;
  readonly targetRuns: TargetRuns;
  /** Called once a check waits for a worker. */
  readonly onDue: () => void;
}

/** A tool, and what calls it with an input that its schema holds for. */
interface Tool<Input extends z.ZodType> {
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodType;
  call(accountId: string, input: z.output<Input>, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
}

export function cloudTools(ports: ToolPorts): McpTools {
  const tools = toolsOf(ports);
  const shown = Object.entries(tools)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, tool]) => describe(name, tool));
  return {
    list(actor) {
      requireApiKey(actor);
      return shown;
    },
    async call(actor, name, input, signal) {
      requireApiKey(actor);
      const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
      if (!tool) return undefined;
      const value = await tool.call(accountOf(actor), parsePart(tool.input, input, 'body'), signal);
      return { isError: 'failure' in value, value } satisfies McpOutcome;
    },
  };
}

/** A model that holds an owner's key could mint others (D42). Throws AppError `forbidden`. */
function requireApiKey({ scopes }: Actor): void {
  if (scopes.includes('admin'))
    throw new AppError('forbidden', "This is an owner's key. Give a model one with the role api: POST /api/account/keys mints it.");
}

function toolsOf(ports: ToolPorts): Readonly<Record<string, Tool<z.ZodType>>> {
  return { ...pageTools(ports), ...targetTools(ports) };
}

function pageTools({ scrapes, maps, credits }: ToolPorts): Readonly<Record<string, Tool<z.ZodType>>> {
  return {
    map: tool({
      description: 'Lists the addresses of a site, the best first where words are searched for. Costs 1 credit.',
      input: MapOfCloud,
      output: MappedSite,
      async call(accountId, asked, signal) {
        const hold = await credits.reserve({ accountId, operation: 'mcp.map', about: asked.url }, MAP_PRICE);
        let price = 0;
        try {
          const found = await maps.run(asked, signal);
          price = found.count > 0 ? MAP_PRICE : 0;
          return found;
        } finally {
          await credits.settle(hold, price);
        }
      },
    }),
    scrape: tool({
      description:
        'Reads one page as Markdown or in other views. Costs 1 credit over HTTP, 2 where a browser renders it, 0 where it fails.',
      input: ScrapePage,
      output: Scraped,
      async call(accountId, asked, signal) {
        const id = await scrapes.keep(await scrapes.fetch(accountId, asked, signal));
        return { ...(await scrapes.answer(accountId, id)) };
      },
    }),
  };
}

const { id } = targetParams.shape;
const slice = {
  limit: z.int().min(1).max(100).optional().describe('How many at most; 20 unless said.'),
  offset: z.int().min(0).optional().describe('How many to pass over first.'),
};
const SLICE = { limit: 20, offset: 0 };
const counted = <Item extends z.ZodType>(item: Item) => z.strictObject({ data: z.array(item), count: z.int(), total: z.int() });

function targetTools({ targets, targetRuns, onDue }: ToolPorts): Readonly<Record<string, Tool<z.ZodType>>> {
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

/** A tool whose type the table forgets. */
function tool<Input extends z.ZodType>(one: Tool<Input>): Tool<z.ZodType> {
  // Its input is held against its own schema before it is called.
  return one as unknown as Tool<z.ZodType>;
}

function describe(name: string, { description, input, output }: Tool<z.ZodType>): McpTool {
  return { name, description, inputSchema: schemaOf(input), outputSchema: schemaOf(output) };
}

/** The protocol's clients hold answers against it; what a schema can not say is left open. */
function schemaOf(schema: z.ZodType): McpTool['inputSchema'] {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  return rest;
}
