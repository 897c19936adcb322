// weft monitor extractor add <selector> <type>: what is made of what a selector finds.
import type { ExtractorType } from '@weft/contract';
import { orTry } from '../../../or-try.ts';
import { parseRowId } from '../../../row-id.ts';
import type { CommandRun } from '../../../spec.ts';
import { alertOf } from '../target.ts';

const NEXT = 'weft monitor list';

export const run: CommandRun = async (context, [number = '', type = ''], options) => {
  const selectorId = parseRowId(number, 'selector', NEXT);
  const alert = alertOf(options);
  const given = Object.fromEntries(
    (['name', 'attribute', 'pattern', 'path'] as const).flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
  const client = await context.client();
  // The agent checks the type, and that its members go with it.
  const body = { selector_id: selectorId, type: type as ExtractorType, ...given, ...(alert ? { alert } : {}) };
  const made = await orTry(NEXT, client.extractors.create(body, { signal: context.signal }));
  context.show(
    made,
    `Extractor ${made.id} reads the ${made.name} of selector ${selectorId}; weft monitor extractor test ${made.id} tries it now.`,
  );
};
