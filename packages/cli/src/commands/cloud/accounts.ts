// weft cloud accounts …: what the operator of a cloud does with its accounts.
import { askAdmin } from '../../cloud-process.ts';
import type { CommandRun } from '../../spec.ts';
import { pairs, table } from '../../table.ts';

interface AccountLine {
  readonly id: string;
  readonly name: string;
  readonly available: number;
  readonly held: number;
  readonly spent: number;
  readonly created_at: string;
}

/** The command of that name. */
export function adminCommand(name: string): CommandRun {
  return async (context, args, options) => {
    const credits = typeof options['credits'] === 'string' ? ['--credits', options['credits']] : [];
    const answer = await askAdmin(context.environment, [name, ...credits, '--', ...args], context.signal);
    if (name === 'list') {
      const { data } = answer as { readonly data: readonly AccountLine[] };
      const rows = data.map(({ id, name: called, available, held, spent, created_at: at }) => [
        id,
        called,
        String(available),
        String(held),
        String(spent),
        at,
      ]);
      return context.show(answer, table(['ID', 'NAME', 'AVAILABLE', 'HELD', 'SPENT', 'OPENED'], rows));
    }
    const told = answer as Readonly<Record<string, unknown>>;
    if (typeof told['token'] !== 'string') return context.show(told, pairs(Object.entries(told)));
    context.say(`weft: ${String(told['id'])}; its owner's key is shown only now.`);
    context.show(told, told['token']);
  };
}
