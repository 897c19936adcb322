// What an answer for /robots.txt means (RFC 9309, 2.3.1).
import { parseRobots } from './parse.ts';
import type { RobotsRules, UnaskedHost, UnreadFile } from './rules.ts';

/** What came back: a status with the body's text, or why nothing came. */
export type RobotsAnswer =
  | { readonly status: number; readonly body: Uint8Array | string }
  | { readonly failure: string; readonly unread?: UnreadFile }
  | UnaskedHost;

/** How long rules may be used before the file is asked for again, in seconds (RFC 9309, 2.4). */
export const ROBOTS_MAX_AGE_SECONDS = 86_400;

/**
 * The rules to obey after asking for robots.txt: the file on success; everything allowed on 4xx and on redirects that lead nowhere;
 * nothing allowed on 5xx and where the host could not be reached.
 */
export function robotsFromResponse(answer: RobotsAnswer): RobotsRules {
  if ('code' in answer) return { ...whole('disallow_all', `robots.txt could not be asked for: ${answer.message}`), unasked: answer };
  if ('failure' in answer) {
    const { failure, unread } = answer;
    return { ...whole('disallow_all', `robots.txt could not be read: ${failure}`), ...(unread ? { unread } : {}) };
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return parseRobots(typeof answer.body === 'string' ? answer.body : decode(answer.body));
  if (status >= 300 && status < 500) return whole('allow_all', `robots.txt answered ${status}`);
  const note = `robots.txt answered ${status}`;
  return { ...whole('disallow_all', note), unread: { code: 'server_error', message: `The ${note}.`, status } };
}

function whole(access: 'allow_all' | 'disallow_all', note: string): RobotsRules {
  return { access, note, groups: [], sitemaps: [], isCut: false };
}

/** The file is UTF-8 whatever its headers say; a broken sequence spoils only its own line. */
function decode(body: Uint8Array): string {
  return new TextDecoder('utf-8').decode(body);
}
