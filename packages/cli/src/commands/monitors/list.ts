// weft monitor list
import type { Monitor } from '@weft/contract';
import { lineText } from '../../cell.ts';
import { listPage } from '../../list-page.ts';
import type { CommandRun } from '../../spec.ts';
import { table } from '../../table.ts';
import { stateText, whenText } from './words.ts';

/** So many characters of a name and of a value leave a row within 80 columns. */
const NAME_MAX = 22;
const VALUE_MAX = 14;
/** Of what is said of trouble; the whole stands in --json and in `monitor show`. */
const MESSAGE_MAX = 200;

export const run: CommandRun = async (context, _args, options) => {
  const { search, tag, trouble } = options;
  const page = listPage(context, options);
  const client = await context.client();
  const monitors = await client.monitors.list(
    {
      ...page.query,
      ...(typeof search === 'string' ? { q: search } : {}),
      ...(typeof tag === 'string' ? { tag } : {}),
      ...(trouble === true ? { trouble: true } : {}),
    },
    page.call,
  );
  const nowMs = Date.now();
  const rows = monitors.map((monitor) => [
    String(monitor.id),
    lineText(monitor.name, NAME_MAX),
    stateText(monitor),
    valueCell(monitor),
    whenText(monitor.last_changed_at, nowMs),
    whenText(monitor.next_check_at, nowMs),
  ]);
  context.show(monitors, table(['ID', 'NAME', 'STATE', 'VALUE', 'CHANGED', 'NEXT'], rows));
  page.tell(monitors.length);
  if (trouble === true)
    for (const { id, state } of monitors)
      if (state.message !== undefined) context.say(`weft: ${id}: ${lineText(state.message, MESSAGE_MAX)}`);
};

/** The first value, and how many others there are. */
function valueCell({ values }: Monitor): string {
  const [first, ...others] = values;
  const more = others.length > 0 ? ` +${others.length}` : '';
  return first ? `${lineText(first.text, VALUE_MAX - more.length)}${more}` : '';
}
