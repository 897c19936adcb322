// After how many pages that brought nothing a kind of views is ended: pages missed and requests spared with each number, on generated sites
// and on real applications, and with the numbers that all other sites would have chosen.
import type { App } from '../../apps/app.ts';
import { APPS } from '../../apps/apps.ts';
import { freeAddress, installApp, startApp, takeHome, truthOf } from '../../apps/runner.ts';
import { BARREN_LIMITS } from '../../../packages/engine/src/crawl/learn/barren-views.ts';
import type { BarrenLimits } from '../../../packages/engine/src/crawl/learn/barren-views.ts';
import { startAgentUnderTest } from '../agent-under-test.ts';
import { pagesOf } from '../app-crawls.ts';
import { startCountingProxy } from '../counting-proxy.ts';
import { freePort } from '../processes.ts';
import { SiteRecorder, fitViews, replayViews } from '../recorded-views.ts';
import type { RecordedSite } from '../recorded-views.ts';
import type { BenchRow } from '../row.ts';
import { SETTINGS } from '../settings.ts';
import { NOW, ORIGIN, TRAP_SITES, walkTrapSite } from '../trap-sites.ts';

export const isSlow = true;

const IN_FLIGHT = 8;
const PAGES_MAX = 2_000;
const BARREN: readonly number[] = [2, 3, 4, 5, 6, 8, 12];
const TEXTS: readonly number[] = [0, 1, 2, 4];
const NEVER: BarrenLimits = { barrenMax: Infinity, textsMax: 0 };

/** `BENCH_APPS` takes some applications; those that can't be had here are named and left out. */
export async function bench(): Promise<BenchRow[]> {
  const sites = [...TRAP_SITES.map(recordGenerated), ...(await recordApps())];
  const all = BARREN.flatMap((barrenMax) => TEXTS.map((textsMax) => ({ barrenMax, textsMax })));
  const over = (limits: (site: RecordedSite) => BarrenLimits) => sites.map((site) => replayViews(site, limits(site)));
  const rows = (name: string, limits: (site: RecordedSite) => BarrenLimits): BenchRow[] => {
    const scores = over(limits);
    return [
      { name: `${name}: pages missed`, value: scores.reduce((sum, { missed }) => sum + missed, 0), unit: 'pages', target: '0' },
      { name: `${name}: requests`, value: scores.reduce((sum, { asked }) => sum + asked, 0), unit: 'requests' },
    ];
  };
  const heldOut = (site: RecordedSite) =>
    fitViews(
      sites.filter((other) => other !== site),
      all,
    );
  return [
    ...rows('never ended', () => NEVER),
    ...rows('in force', () => BARREN_LIMITS),
    ...rows('each site with the numbers of all others', heldOut),
    ...all.flatMap((limits) => rows(`${limits.barrenMax} in a row, ${limits.textsMax} texts`, () => limits)),
    ...sites.flatMap((site) => [
      {
        name: `  ${site.name}: requests`,
        value: replayViews(site, BARREN_LIMITS).asked,
        unit: 'requests',
        rival: 'never ended',
        rivalValue: site.visits.length,
      },
      { name: `  ${site.name}: pages missed`, value: replayViews(site, BARREN_LIMITS).missed, unit: 'pages', target: '0' },
    ]),
  ];
}

function recordGenerated(site: (typeof TRAP_SITES)[number]): RecordedSite {
  const recorder = new SiteRecorder(ORIGIN, NOW);
  for (const { url, body, content } of walkTrapSite(site).visits) recorder.add(url, 200, body, content === '' ? undefined : content);
  return { name: site.name, visits: recorder.visits };
}

async function recordApps(): Promise<readonly RecordedSite[]> {
  using _home = takeHome(SETTINGS.appsFolder);
  const sites: RecordedSite[] = [];
  for (const app of APPS) {
    if (app.needsBrowser || (SETTINGS.appNames.length > 0 && !SETTINGS.appNames.includes(app.name))) continue;
    try {
      sites.push(await recordApp(app));
    } catch (error) {
      console.log(`${app.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return sites;
}

/** Crawls the application with nothing of this rule in force, and keeps what it answered. */
async function recordApp(app: App): Promise<RecordedSite> {
  await installApp(app, SETTINGS.appsFolder);
  const outer = await freeAddress(app);
  const inner = { host: outer.host, port: await freePort(), origin: outer.origin };
  const proxy = await startCountingProxy(outer, inner, true);
  try {
    const running = await startApp(app, SETTINGS.appsFolder, inner);
    try {
      const pageAt = pagesOf(app, outer.origin, await truthOf(running, SETTINGS.appsFolder));
      using agent = await startAgentUnderTest();
      await agent.tell({
        url: outer.origin + (app.entry ?? '/'),
        lane: 'http',
        formats: [],
        limit: PAGES_MAX,
        max_depth: 1000,
        crawl_entire_domain: true,
        max_concurrency: IN_FLIGHT,
        all_views: true,
      });
      const recorder = new SiteRecorder(outer.origin, NOW);
      for (const { target, status, contentType, body } of proxy.take()) {
        const url = outer.origin + target;
        const html = contentType.includes('html') ? body?.bytes : undefined;
        recorder.add(url, status, html, status === 200 ? pageAt(new URL(url)) : undefined);
      }
      return { name: app.name, visits: recorder.visits };
    } finally {
      await running.stop();
    }
  } finally {
    await proxy.stop();
  }
}
