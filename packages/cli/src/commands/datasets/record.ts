// One record as it is printed: what it says, or its members.
import type { DatasetRecord } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { orTry } from '../../or-try.ts';
import { pairs } from '../../table.ts';

/** Prints record `record` of dataset `id`: a page as its Markdown or text below what is known of it, a row as its members. */
export async function showRecord(context: CommandContext, client: AgentClient, id: number, record: number): Promise<void> {
  const found = await orTry(`weft dataset show ${id}`, client.datasets.record({ id, record }, { signal: context.signal }));
  context.show(found, recordText(found));
}

function recordText({ id, key, run_id, created_at, data }: DatasetRecord): string {
  const { markdown, text, ...rest } = data;
  const prose = [markdown, text].find((value) => typeof value === 'string');
  const head: [string, unknown][] = [
    ['record', id],
    ['key', key],
    ['run', run_id],
    ['kept', created_at],
  ];
  if (typeof prose === 'string')
    return `${pairs(typeof data['title'] === 'string' ? [...head, ['title', data['title']]] : head)}\n\n${prose}`;
  return `${pairs(head)}\n\n${pairs(Object.entries(rest).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))}`;
}
