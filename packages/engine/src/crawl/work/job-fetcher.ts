// What one run asks hosts with: its browser options on each page, one cookie store for those who act as somebody, and its place given back while hosts are silent.
import { hidingInPictures } from '../../mask/hide-in-pictures.ts';
import { maskingFetcher } from '../../mask/mask-page.ts';
import { actingIn } from '../../ports.ts';
import type { BrowserOptions, Fetcher } from '../../ports.ts';
import type { CrawlClock, HostGate } from '../crawl-ports.ts';
import { sendingFetcher } from '../sending.ts';
import type { StoredCrawlOptions } from './wire-options.ts';
import type { CrawlWorkPorts, RunPlace } from './work-ports.ts';

/**
 * What is asked for by HTTP (sitemaps) stays as it is, unless the run acts as a persona; pages share a context in the browser. By HTTP each is
 * asked for as by somebody who has just come, unless a persona or what the caller sends says who that is: else shops show on each page what was
 * read before it, a link to another language changes all pages behind it, and no two runs say the same.
 * `place` hears each answer, and what was sent in secret is in none.
 */
export function jobFetcher(
  options: StoredCrawlOptions,
  {
    fetcher,
    views,
    cookies,
    place,
    acting,
    actingValues,
    send,
  }: Pick<CrawlWorkPorts, 'fetcher' | 'views' | 'cookies' | 'place' | 'acting' | 'actingValues' | 'send'>,
): Pick<Fetcher, 'fetch'> {
  const { secrets, names } = actingValues;
  const asked = browserOptions(options);
  const browser = options.persona_id === undefined ? asked : hidingInPictures(asked, [...names, ...secrets]);
  const own = { ...(options.persona_id === undefined ? {} : { cookies }), ...actingIn(acting) };
  const shared = { cookies, isFresh: options.persona_id === undefined && send === undefined };
  const masking = maskingFetcher(fetcher, secrets, views);
  const heard = heardFetcher(send ? sendingFetcher({ fetcher: masking, views }, send, options.url, cookies) : masking, place);
  return {
    fetch: (request, signal) =>
      heard.fetch(
        request.lane === 'http' ? { ...own, ...request } : { ...shared, ...own, ...request, ...(browser ? { browser } : {}) },
        signal,
      ),
  };
}

/** `fetcher`, each answer of which `place` hears: a run whose hosts are silent gives its place to others. */
export function heardFetcher(fetcher: Pick<Fetcher, 'fetch'>, place: Pick<RunPlace, 'hear'>): Pick<Fetcher, 'fetch'> {
  place.hear();
  return {
    async fetch(request, signal) {
      try {
        return await fetcher.fetch(request, signal);
      } finally {
        place.hear();
      }
    },
  };
}

/** Gate and clock for a run that has nothing else to do: while it stands in a line or sleeps, others have its place. */
export function restingPorts<Ports extends { readonly gate: HostGate; readonly clock: CrawlClock }>(ports: Ports, place: RunPlace): Ports {
  const { gate, clock } = ports;
  const restingGate: HostGate = {
    learnGap: (host, ownGapMs) => gate.learnGap(host, ownGapMs),
    restOf: (host) => gate.restOf(host),
    async take(host, limits, signal, onWait) {
      const wait = () => {
        place.rest();
        onWait?.();
      };
      const grant = await gate.take(host, limits, signal, wait);
      place.work();
      return grant;
    },
  };
  const restingClock: CrawlClock = {
    now: () => clock.now(),
    steadyMs: () => clock.steadyMs(),
    alarm: (steadyMs, ring) => clock.alarm(steadyMs, ring),
    async sleepUntil(steadyMs, signal) {
      place.rest();
      await clock.sleepUntil(steadyMs, signal);
      place.work();
    },
  };
  return { ...ports, gate: restingGate, clock: restingClock };
}

function browserOptions(options: StoredCrawlOptions): BrowserOptions | undefined {
  const { wait_for: waitFor, wait_for_selector: waitForSelector, wait_ms: waitMs, screenshot, pdf } = options;
  const given = {
    ...(waitFor === undefined ? {} : { waitFor }),
    ...(waitForSelector === undefined ? {} : { waitForSelector }),
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(screenshot === undefined ? {} : { screenshot }),
    ...(pdf === undefined ? {} : { pdf }),
  };
  return Object.keys(given).length > 0 ? given : undefined;
}
