// weft extract <url>: what a selector points at, one value a line; lists as JSON lines; a product or forms as JSON.
import type { EXTRACT_PARTS, EXTRACT_SELECTORS, ExtraTable, Input, LaneChoice, ReplyOf } from '@weft/contract';
import { toUrl } from '../../address.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { namesOf } from '../../names.ts';
import type { CommandRun } from '../../spec.ts';

type Request = Input<ExtraTable['extract']['run']>['body'];
type Extracted = ReplyOf<ExtraTable['extract']['run']>['body'];

const PARTS = namesOf<(typeof EXTRACT_PARTS)[number]>({ list: true, product: true, forms: true });
const SELECTORS = namesOf<(typeof EXTRACT_SELECTORS)[number]>({
  css: true,
  xpath: true,
  jsonpath: true,
  regex: true,
  text: true,
  role: true,
  label: true,
  aria: true,
  pierce: true,
});

export const run: CommandRun = async (context, [url = ''], options) => {
  const wanted = [...SELECTORS, ...PARTS].filter((name) => options[name] !== undefined);
  if (wanted.length !== 1)
    throw new CommandError(`Say what to extract with one of ${[...SELECTORS, ...PARTS].map((name) => `--${name}`).join(', ')}.`, {
      exitCode: EXIT.usage,
      code: 'bad_request',
      next: [`weft extract ${url} --css h1`, `weft extract ${url} --list`],
    });
  const client = await context.client();
  const hidden = options['hidden'] === true ? { include_hidden: true } : {};
  const request: Request = { url: toUrl(url), lane: options['lane'] as LaneChoice, ...hidden };
  const found = await client.extract.run(
    { ...request, ...Object.fromEntries(wanted.map((name) => [name, options[name]])) },
    { signal: context.signal },
  );
  if (found.failure)
    throw new CommandError(`${found.url} could not be read. ${found.failure.message}`, {
      exitCode: EXIT.failed,
      code: found.failure.code,
      next: ['weft logs'],
    });
  if (context.isJson) context.print(JSON.stringify(found, null, 2));
  else for (const line of linesOf(found)) context.print(line);
};

function linesOf({ matches, lists, product, forms }: Extracted): readonly string[] {
  if (matches) return matches.map(({ value }) => value);
  if (lists) return itemsOf(lists[0]).map((item) => JSON.stringify(item));
  return [JSON.stringify(forms ?? product ?? null, null, 2)];
}

/** The records of a list as plain objects: field name to text, an address made absolute, several where a field repeats. */
function itemsOf(list: unknown): readonly object[] {
  const items = (list as { readonly items?: readonly { readonly fields: Readonly<Record<string, unknown>> }[] } | undefined)?.items ?? [];
  return items.map(({ fields }) => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainOf(value)])));
}

function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf);
  const { url, raw } = value as { readonly url?: string; readonly raw: string };
  return url ?? raw;
}
