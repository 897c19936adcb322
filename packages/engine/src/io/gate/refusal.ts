// The sentences with which the gate refuses. An internal target gets one and the same, so that nothing about it leaks.
import { PageError } from '../../errors.ts';

/** Why an address is not reached. `internal` covers every target that is not on the public internet, `unlisted` the same of a server for many. */
export type RefusalReason = 'unparsable' | 'scheme' | 'user_info' | 'port' | 'internal' | 'unlisted';

const URL_SHOWN_MAX = 300;

/** The public sentence for a refusal: what, which value, which rule, what to do. `url` is shown without user info. */
export function describeRefusal(reason: RefusalReason, url: string): string {
  const why = reason === 'unlisted' ? `${WHY.unlisted} ${pairOf(url)}.` : WHY[reason];
  return `${shownUrl(url)} is not fetched: ${why}`;
}

/** How `url`, a web address, is named among private targets. */
function pairOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

const WHY: Readonly<Record<RefusalReason, string>> = {
  unparsable: 'it is not an absolute URL. Give one such as https://example.com/.',
  scheme: 'its scheme is neither http nor https. Give an http or https URL.',
  user_info: 'it carries a user name or password. Addresses are stored and shown; take them out of it.',
  port: 'its port is kept for services that are no web servers (mail, databases, queues), whoever names it. Serve the page at another, such as 8080.',
  internal: 'it does not lead to an address on the public internet. Only a private address that your own URL names can be reached.',
  unlisted:
    'it does not lead to an address on the public internet. Whoever runs this server opens a private one by starting it with --private-target',
};

/** The PageError (`address`) of a refusal. */
export function refusalError(reason: RefusalReason, url: string): PageError {
  return new PageError('address', describeRefusal(reason, url), { url: shownUrl(url) });
}

/** `url` as it may stand in a message: normalised, without user info and fragment, at most 300 characters. */
export function shownUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed) {
    parsed.username = '';
    parsed.password = '';
    parsed.hash = '';
  }
  const text = (parsed?.href ?? url).replace(/[^\x21-\x7e]/g, '');
  return text.length > URL_SHOWN_MAX ? `${text.slice(0, URL_SHOWN_MAX)}...` : text;
}
