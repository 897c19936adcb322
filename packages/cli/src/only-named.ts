// Things by what people call them.
import { CommandError, EXIT } from './exit.ts';

/**
 * The only one of `items` that is called `name`, in whatever case. Throws CommandError where there is none, or several; `noun` is what they
 * are, as in `weft <noun> list`.
 */
export function onlyNamed<Item extends { readonly id: number; readonly name: string }>(
  noun: string,
  name: string,
  items: readonly Item[],
): Item {
  const named = items.filter((item) => name !== '' && item.name.toLowerCase() === name.toLowerCase());
  const [first] = named;
  if (!first)
    throw new CommandError(`There is no ${noun} "${name}".`, { exitCode: EXIT.notFound, code: 'not_found', next: [`weft ${noun} list`] });
  if (named.length === 1) return first;
  const ids = named.map(({ id }) => id).join(', ');
  throw new CommandError(`${named.length} ${noun}s are called "${name}": ${ids}. Say which by its number.`, {
    exitCode: EXIT.usage,
    code: 'bad_request',
    next: [`weft ${noun} show ${first.id}`],
  });
}
