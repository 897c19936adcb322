// Tells from an address that it only leads visitors out of the site, and where to: `/url.php?url=https%3A%2F%2Felsewhere.example`.
import { queryPairs } from './query-pairs.ts';

/**
 * What programs call the script that leads on: phpMyAdmin `url.php`, Google and YouTube `url` and `redirect`, vBulletin `redirector.php`,
 * Discuz and Zhihu `link`, VK `away.php`, Steam `linkfilter`, Facebook `l.php`, Slashdot and many others `out` and `go`.
 */
const EXIT =
  /\/(?:url|redir|redirect|redirector|go|goto|out|outgoing|outbound|exit|away|leave|leaving|link|linkfilter|external|extern|ext|click|jump|l)(?:\.(?:php\d?|aspx?|jsp|cgi|pl|do|html?))?\/?$/i;

/** The address on another host that `url` leads on to; undefined for all addresses that are not known to do nothing else. */
export function findExitTarget(url: string): string | undefined {
  const mark = url.indexOf('?');
  if (mark < 0 || !/=https?(?::|%3a)(?:\/|%2f){2}/i.test(url.slice(mark))) return undefined;
  const parsed = URL.parse(url);
  if (!parsed || !EXIT.test(parsed.pathname)) return undefined;
  for (const { value } of queryPairs(parsed)) {
    const target = /^https?(?::|%3a)/i.test(value) ? parseEscaped(value) : null;
    if (target && target.host !== parsed.host) return target.href;
  }
  return undefined;
}

function parseEscaped(value: string): URL | null {
  try {
    return URL.parse(decodeURIComponent(value));
  } catch {
    return null;
  }
}
