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

/**
 * Whether the page at `url`, which links to `targets`, is the first of a folder of its own although its address has no slash at the end:
 * it leads to more below itself than beside itself. Directly below the host everything is beside it, and one link below is enough.
 */
export function isFolderPage(url: string, targets: readonly string[]): boolean {
  const parsed = URL.parse(url);
  if (!parsed || !canBeFolder(parsed.pathname)) return false;
  const own = `${parsed.origin}${parsed.pathname}`;
  const parent = parsed.origin + folderOf(parsed.pathname);
  const below = targets.filter((target) => target.startsWith(`${own}/`)).length;
  if (below === 0 || folderOf(parsed.pathname) === '/') return below > 0;
  const beside = targets.filter((target) => target.startsWith(parent) && !target.startsWith(own)).length;
  return below >= beside;
}

/** Whether a path could name a folder without saying so: it ends in no slash and no ending of a file. */
export function canBeFolder(path: string): boolean {
  return !path.endsWith('/') && !/\.[a-z]\w*$/i.test(path.slice(path.lastIndexOf('/') + 1));
}

/** What precedes the last part: `/docs/` for `/docs/` and for `/docs/intro`, a page. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function isInFolder(folder: string, path: string): boolean {
  return path.startsWith(folder) || `${path}/` === folder;
}
