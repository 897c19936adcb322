// What the cloud offers as tools of the Model Context Protocol (D47): each is metered as the call that it stands for.
import { AppError, MapOfCloud, MappedSite, PublishedAnswer, ScrapePage, Scraped } from '@weft/contract';
import { parsePart } from '@weft/serve';
import type { Actor, McpOutcome, McpTool, McpTools } from '@weft/serve';
import { z } from 'zod';
import { accountOf } from '../accounts/account.ts';
import type { CallableFunction, Functions } from '../published/function.ts';
import type { PublishedRuns } from '../published/run.ts';
import type { Credits } from '../credits/credits.ts';
import { MAP_PRICE } from '../credits/prices.ts';
import type { Maps } from '../map/map.ts';
import type { Crawls } from '../crawl/crawl.ts';
import { crawlTools } from '../crawl/tools.ts';
import type { Scrapes } from '../scrape/scrape.ts';
import { targetTools } from '../targets/tools.ts';
import type { TargetRuns } from '../targets/runs.ts';
import type { Targets } from '../targets/target.ts';
import { tool } from './tool.ts';
import type { Tool } from './tool.ts';

interface ToolPorts {
  readonly scrapes: Scrapes;
  readonly maps: Maps;
  readonly credits: Credits;
  readonly functions: Functions;
  readonly publishedRuns: PublishedRuns;
  readonly crawls: Crawls;
  /** Called once a crawl waits for a worker. */
  onCrawlStarted(): void;
  readonly targets: Targets;
  readonly targetRuns: TargetRuns;
  /** Called once a check waits for a worker. */
  onDue(): void;
}

export function cloudTools(ports: ToolPorts): McpTools {
  const tools = toolsOf(ports);
  const shown = Object.entries(tools)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, tool]) => describe(name, tool));
  return {
    async list(actor) {
      requireApiKey(actor);
      const functions = await ports.functions.tools(accountOf(actor));
      const published = Array.from(functions, ([name, callee]) => describeFunction(name, callee));
      return [...shown, ...published].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    async call(actor, name, input, signal, tell) {
      requireApiKey(actor);
      const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
      if (!tool) return await callFunction(accountOf(actor), name, input, ports, signal);
      const value = await tool.call(accountOf(actor), parsePart(tool.input, input, 'body'), signal, tell);
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

function pageTools({ scrapes, maps, credits, crawls, onCrawlStarted }: ToolPorts): Readonly<Record<string, Tool<z.ZodType>>> {
  return {
    ...crawlTools(crawls, onCrawlStarted),
    map: tool({
      description: 'Lists the addresses of a site, the best first where words are searched for. Costs 1 credit.',
      input: MapOfCloud,
      output: MappedSite,
      async call(accountId, asked, signal) {
        const hold = await credits.reserve({ accountId, operation: 'mcp.map', about: asked.url }, MAP_PRICE);
        let price = 0;
        try {
          const found = await maps.run(asked, { tenant: accountId, isUrgent: true }, signal);
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

/** Undefined for a tool that is no function of the account. */
async function callFunction(
  accountId: string,
  name: string,
  inputs: Readonly<Record<string, unknown>>,
  { functions, publishedRuns }: ToolPorts,
  signal: AbortSignal,
): Promise<McpOutcome | undefined> {
  const callee = await functions.findTool(accountId, name);
  if (!callee) return undefined;
  const id = await publishedRuns.keep(await publishedRuns.call({ accountId, inputs }, callee, signal));
  const answer = await publishedRuns.answer(accountId, id);
  return { isError: answer.status === 'failed', value: { ...answer } };
}

function describeFunction(name: string, { slug, path, name: title, definition: { inputs } }: CallableFunction): McpTool {
  return {
    name,
    title,
    description: `Calls ${slug}/${path}: "${title}". Costs 1 credit over HTTP, 2 where a browser is used, 0 where it fails.`,
    inputSchema: { type: 'object', properties: {}, additionalProperties: false, ...inputs },
    outputSchema: schemaOf(PublishedAnswer),
  };
}

function describe(name: string, { description, input, output }: Tool<z.ZodType>): McpTool {
  return { name, description, inputSchema: schemaOf(input), outputSchema: schemaOf(output) };
}

/** The protocol's clients hold answers against it; what a schema can not say is left open. */
function schemaOf(schema: z.ZodType): McpTool['inputSchema'] {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  return rest;
}
