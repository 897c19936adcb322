// Many hosts that lead to each other, each an address of the loopback network.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface ManyHosts extends AsyncDisposable {
  /** The first page of the first host. */
  readonly start: string;
  /** `host:port` of each. */
  readonly targets: readonly string[];
  /** All pages there are. */
  readonly pages: readonly string[];
  /** What was asked for, robots.txt aside, in its order. */
  readonly requests: string[];
}

/** How many hosts, pages of each, links of each first page to other hosts, and how long an answer takes. */
export interface ManyHostsOptions {
  readonly hosts: number;
  readonly pagesEach: number;
  readonly links?: number;
  readonly answerMs?: number;
}

const PER_NETWORK = 250;

/** Hosts from 127.<network>.0.1 on, all at one port. Host i leads to the hosts i * links + 1 and those that follow. */
export async function startManyHosts({ hosts, pagesEach, links = 8, answerMs = 0 }: ManyHostsOptions, network = 80): Promise<ManyHosts> {
  const addresses = Array.from({ length: hosts }, (_, i) => `127.${network}.${Math.floor(i / PER_NETWORK)}.${(i % PER_NETWORK) + 1}`);
  const requests: string[] = [];
  const servers: Server[] = [];
  let port = 0;
  const origin = (i: number) => `http://${addresses[i]}:${port}`;
  const serve = (i: number) =>
    createServer((request, response) => {
      void (async () => {
        const { url: path = '/' } = request;
        if (path === '/robots.txt') return void response.writeHead(404).end();
        requests.push(origin(i) + path);
        if (answerMs > 0) await pause(answerMs);
        const n = path === '/' ? 0 : Number(path.slice(1));
        const isPage = Number.isInteger(n) && n < pagesEach;
        response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' });
        const others = Array.from({ length: n === 0 ? links : 0 }, (_, k) => i * links + 1 + k).filter((other) => other < hosts);
        const own = n === 0 ? Array.from({ length: pagesEach - 1 }, (_, k) => k + 1) : [];
        const anchors = [...others.map((other) => `${origin(other)}/`), ...own.map((k) => `${origin(i)}/${k}`)];
        response.end(
          `<title>Page ${n} of host ${i}</title><h1>Host ${i}, page ${n}</h1><p>${words(i * pagesEach + n)}</p>${anchors.map((to) => `<a href="${to}">${to}</a>`).join(' ')}`,
        );
      })();
    });
  for (const [i, address] of addresses.entries()) {
    const server = serve(i).listen(port, address);
    await once(server, 'listening');
    port ||= (server.address() as AddressInfo).port;
    servers.push(server);
  }
  const pages = addresses.flatMap((_, i) => Array.from({ length: pagesEach }, (_unused, n) => `${origin(i)}/${n === 0 ? '' : n}`));
  return {
    start: `${origin(0)}/`,
    targets: addresses.map((address) => `${address}:${port}`),
    pages,
    requests,
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map(async (server) => void (await once(server.close(), 'close'))));
    },
  };
}

const WORDS = 'amber basil cedar delta ember fable grove heron inlet jade kelp larch maple north opal pearl quartz river slate tidal'.split(
  ' ',
);

/** Words that no other page has in this order. */
function words(seed: number): string {
  let state = seed * 2_654_435_761 + 1;
  return Array.from({ length: 40 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return WORDS[state % WORDS.length];
  }).join(' ');
}
