// Group Hosts, under /x/.
import type { ExtraTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import type { Hosts } from './host.ts';

export function hostHandlers(hosts: Hosts): GroupHandlers<ExtraTable['hosts']> {
  return {
    list: () => {
      const data = hosts.list();
      return { status: 200, body: { data, count: data.length } };
    },
    askAgain: ({ body }) => ({ status: 200, body: { host: hosts.askAgain(body.url), asked_again: true } }),
  };
}
