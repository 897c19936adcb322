// What the cloud offers as tools of the Model Context Protocol (D47): each is metered as the call that it stands for.
import { AppError, MapOfCloud, MappedSite, ScrapePage, Scraped } from '@weft/contract';
import { parsePart } from '@weft/serve';
import type { Actor, McpOutcome, McpTool, McpTools } from '@weft/serve';
import { z } from 'zod';
import { accountOf } from '../accounts/account.ts';
import type { Credits } from '../credits/credits.ts';
import { MAP_PRICE } from '../credits/prices.ts';
import type { Maps } from '../map/map.ts';
import type { Scrapes } from '../scrape/scrape.ts';

interface ToolPorts {
  readonly scrapes: Scrapes;
  readonly maps: Maps;
  readonly credits: Credits;
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
  const shown = Object.entries(tools).map(([name, tool]) => describe(name, tool));
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

function toolsOf({ scrapes, maps, credits }: ToolPorts): Readonly<Record<string, Tool<z.ZodType>>> {
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
