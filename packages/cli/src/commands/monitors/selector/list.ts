// weft monitor selector list <monitor>
import { lineText } from '../../../cell.ts';
import { listPage } from '../../../list-page.ts';
import type { CommandRun } from '../../../spec.ts';
import { table } from '../../../table.ts';
import { findMonitor } from '../refs.ts';

const NAME_MAX = 30;

export const run: CommandRun = async (context, [ref = ''], options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const selectors = page.cut((await findMonitor(client, ref, context.signal)).selectors);
  const rows = selectors.map(({ id, name, active, missing, baseline, proposal, extractors }) => [
    String(id),
    lineText(name, NAME_MAX),
    proposal ? 'repair proposed' : missing > 0 ? `missing ${missing}` : active ? 'active' : 'off',
    baseline ? baseline.captured_at.slice(0, 10) : 'none',
    extractors.map((extractor) => `${extractor.id} ${extractor.name}`).join(', ') || 'text',
  ]);
  context.show(selectors, table(['ID', 'SELECTOR', 'STATE', 'BASELINE', 'EXTRACTORS'], rows));
  page.tell(selectors.length);
};
