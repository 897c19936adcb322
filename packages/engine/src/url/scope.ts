// Which addresses belong to the site that a crawl was started on.
import { getDomain } from 'tldts';

/** How far from its seeds a crawl may go. */
export interface ScopeOptions {
  /** Also other hosts below the registrable domain. */
  readonly allowSubdomains: boolean;
  /** Any host at all. */
  readonly allowExternalLinks: boolean;
  /** Also addresses outside the folder that the seed is in. */
  readonly crawlEntireDomain: boolean;
}

/** Whether an address belongs to the crawl, and which option decided. */
export interface ScopeDecision {
  readonly allowed: boolean;
  readonly reason: 'off_site' | 'subdomain' | 'outside_path' | undefined;
  /** The option that decided, in words. */
  readonly rule: string | undefined;
}

const IN_SCOPE: ScopeDecision = { allowed: true, reason: undefined, rule: undefined };

/** The unit of politeness (scheme, name and port), such as `https://shop.test:8443`; undefined unless http or https. */
export function findHost(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : undefined;
}

/** The registrable domain of a host name, by the public suffix list with its private part; an IP address or a bare name stands for itself. */
export function siteOf(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname.toLowerCase();
}

/** Whether two URLs lie below one registrable domain. */
export function sameSite(left: string, right: string): boolean {
  const a = URL.parse(left);
  const b = URL.parse(right);
  return a !== null && b !== null && isSameSite(a.hostname, b.hostname);
}

/** Most links stay on their host, which is known without the list of public suffixes. */
function isSameSite(left: string, right: string): boolean {
  return left === right || siteOf(left) === siteOf(right);
}

/** Whether `url` is inside the crawl: allowed by any one of the seeds. `www.` and http/https make no difference. */
export function decideScope(options: ScopeOptions, seeds: readonly string[], url: string): ScopeDecision {
  if (options.allowExternalLinks) return IN_SCOPE;
  let best: ScopeDecision = { allowed: false, reason: 'off_site', rule: 'allow_external_links is false' };
  for (const seed of seeds) {
    const decision = decideForSeed(options, seed, url);
    if (decision.allowed) return decision;
    if (best.reason === 'off_site') best = decision;
  }
  return best;
}

function decideForSeed(options: ScopeOptions, seed: string, url: string): ScopeDecision {
  const from = URL.parse(seed);
  const to = URL.parse(url);
  if (!from || !to || !isPortEqual(from, to) || !isSameSite(from.hostname, to.hostname)) {
    return { allowed: false, reason: 'off_site', rule: 'allow_external_links is false' };
  }
  if (bareName(from) !== bareName(to)) {
    return options.allowSubdomains ? IN_SCOPE : { allowed: false, reason: 'subdomain', rule: 'allow_subdomains is false' };
  }
  if (options.crawlEntireDomain || isInFolder(folderOf(from.pathname), to.pathname)) return IN_SCOPE;
  return { allowed: false, reason: 'outside_path', rule: `crawl_entire_domain is false: outside ${folderOf(from.pathname)}` };
}

/** Default ports of http and https count as one. */
function isPortEqual(a: URL, b: URL): boolean {
  return a.port === b.port;
}

function bareName(url: URL): string {
  return url.hostname.replace(/^www\d?\.(?=[^.]+\.)/, '').replace(/\.$/, '');
}

/** `/docs/` for `/docs/`, `/docs/index.html` and `/docs`: a last part without an extension is a folder. */
function folderOf(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (last === '') return path;
  return last.includes('.') ? path.slice(0, -last.length) : `${path}/`;
}

function isInFolder(folder: string, path: string): boolean {
  return path.startsWith(folder) || `${path}/` === folder;
}
