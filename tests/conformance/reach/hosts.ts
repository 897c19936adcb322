// How to bring each operation of hosts to each status that it declares.
import type { Reach } from '../ways.ts';
import { BUSY_URL, get, plain, post, startCrawl } from '../ways.ts';

const ASK = post('/x/hosts/ask-again', { url: BUSY_URL });

export const reach: Readonly<Record<string, Reach>> = {
  'hosts.list': { base: get('/x/hosts'), ways: { 200: plain(get('/x/hosts')) } },
  'hosts.askAgain': {
    base: ASK,
    ways: {
      200: {
        prepare: async (agent) => {
          await startCrawl(agent, BUSY_URL);
          return ASK;
        },
      },
      404: plain(ASK),
    },
  },
};
