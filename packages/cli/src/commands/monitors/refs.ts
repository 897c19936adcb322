// Monitors and their selectors by what people call them.
import type { Monitor, Selector } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import { CommandError, EXIT } from '../../exit.ts';
import { onlyNamed } from '../../only-named.ts';
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';

const NEXT = 'weft monitor list';
const Q_MAX = 200;

/** The monitor whose number or name `ref` is. Throws CommandError where there is none, or several have that name. */
export async function findMonitor(client: AgentClient, ref: string, signal: AbortSignal): Promise<Monitor> {
  if (/^[1-9]\d{0,14}$/.test(ref)) return await orTry(NEXT, client.monitors.read({ id: Number(ref) }, { signal }));
  return onlyNamed('monitor', ref, await client.monitors.list({ q: ref.slice(0, Q_MAX) }, { signal }));
}

/** The selector of `monitor` with the number `ref`; its only one where that is left out. Throws CommandError. */
export function findSelector({ id, name, selectors }: Monitor, ref: string | undefined): Selector {
  const next = [`weft monitor selector list ${id}`];
  if (ref === undefined) {
    const [only] = selectors;
    if (only && selectors.length === 1) return only;
    const which = selectors.map((one) => `${one.id} (${one.name})`).join(', ');
    const message =
      selectors.length === 0
        ? `Monitor ${id}, ${name}, has no selector: it watches the whole page.`
        : `Monitor ${id}, ${name}, has ${selectors.length} selectors; say which by its number: ${which}.`;
    throw new CommandError(message, {
      exitCode: EXIT.usage,
      code: 'bad_request',
      next: selectors.length === 0 ? [`weft monitor selector add ${id} --css h1`] : next,
    });
  }
  const number = parseRowId(ref, 'selector', next[0]);
  const found = selectors.find((one) => one.id === number);
  if (found) return found;
  throw new CommandError(`Monitor ${id}, ${name}, has no selector ${number}.`, { exitCode: EXIT.notFound, code: 'not_found', next });
}

/** Of which selector and extractor the value `name` is; of neither where it is the page. Throws CommandError. */
export function findValue({ id, values }: Monitor, name: string): { readonly selector_id?: number; readonly extractor_id?: number } {
  const found = values.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found) {
    const { selector_id: selector, extractor_id: extractor } = found;
    return {
      ...(selector === undefined ? {} : { selector_id: selector }),
      ...(extractor === undefined ? {} : { extractor_id: extractor }),
    };
  }
  const names = values.map((one) => `"${one.name}"`).join(', ') || 'none yet';
  throw new CommandError(`Monitor ${id} has no value "${name}"; it has ${names}.`, {
    exitCode: EXIT.notFound,
    code: 'not_found',
    next: [`weft monitor show ${id}`],
  });
}
