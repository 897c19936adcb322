// One browser context with a way out of its own: cookies, storage and policy of one job, and of no other.
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import type { NameMemory } from '../../ports.ts';
import type { AddressGate } from '../gate/gate.ts';
import type { StorageState } from '../../run/session.ts';
import type { DialTo } from '../http/connections.ts';
import type { FindProxy } from '../proxy/connect.ts';
import { requireProxy } from '../proxy/finder.ts';
import { openEgress } from './egress-proxy.ts';
import type { Egress } from './egress-proxy.ts';

/** What a context is made of. */
export interface JobContextOptions {
  readonly gate: AddressGate;
  readonly dialTo?: DialTo | undefined;
  readonly userAgent?: string | undefined;
  readonly privateTargets: readonly string[];
  readonly names: NameMemory | undefined;
  readonly mayReachPrivate: boolean;
  /** Its name. */
  readonly proxy?: string | undefined;
  readonly findProxy?: FindProxy | undefined;
  readonly shape?: ContextShape | undefined;
}

/** How a context differs from that of a single page. */
export interface ContextShape {
  /** BCP 47; `en-US` unless said. */
  readonly locale?: string | undefined;
  readonly viewport?: { readonly width: number; readonly height: number } | undefined;
  readonly state?: StorageState | undefined;
}

/** A context, and the proxy that only it uses. */
export interface JobContext {
  readonly context: BrowserContext;
  readonly egress: Egress;
}

const VIEWPORT = { width: 1280, height: 900 };

/** Opens a context: no service workers, no permissions, no way out but its own. */
export async function openJobContext(browser: Browser, options: JobContextOptions): Promise<JobContext> {
  const { gate, dialTo, privateTargets, names, mayReachPrivate, shape = {} } = options;
  const proxy = options.proxy === undefined ? undefined : await requireProxy(options.findProxy, options.proxy);
  const egress = await openEgress({ gate, dialTo, privateTargets: mayReachPrivate ? privateTargets : [], names, mayReachPrivate, proxy });
  try {
    const context = await browser.newContext({
      proxy: { server: egress.proxyUrl, bypass: '<-loopback>' },
      serviceWorkers: 'block',
      permissions: [],
      viewport: shape.viewport ?? VIEWPORT,
      locale: shape.locale ?? 'en-US',
      ...(shape.state ? { storageState: playwrightState(shape.state) } : {}),
      acceptDownloads: true,
      ...(options.userAgent === undefined ? {} : { userAgent: honestUserAgent(options.userAgent, browser.version()) }),
    });
    return { context, egress };
  } catch (error) {
    await egress.close();
    throw error;
  }
}

/** What `storageState` gave; Playwright keeps the form of its databases to itself. */
function playwrightState({ cookies, origins }: StorageState): Exclude<NonNullable<BrowserContextOptions['storageState']>, string> {
  return {
    cookies: cookies.map((cookie) => ({ ...cookie })),
    origins: origins.map(({ localStorage, ...origin }) => ({ ...origin, localStorage: localStorage.map((item) => ({ ...item })) })),
  };
}

/** Says who asks, as a search engine's browser does: pages that look for an engine's name find it, and people find ours. */
function honestUserAgent(own: string, version: string): string {
  const product = own.replace(/ \(/g, '; ').replace(/[()]/g, '');
  return `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${product}) Chrome/${version} Safari/537.36`;
}
