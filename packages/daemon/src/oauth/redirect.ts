// Where a program may be answered: an address of this machine by its number, whatever the port (RFC 8252, 7.3 and 8.3).

const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/;
const LENGTH_MAX = 2000;

/** Why `text` is no redirect address here; undefined for one that is. */
export function faultOfRedirect(text: string): string | undefined {
  const url = text.length > LENGTH_MAX ? null : URL.parse(text);
  if (!url) return `is not an absolute URL of at most ${LENGTH_MAX} characters`;
  // As written: other spellings of these numbers, a user name, and `localhost`, which others may answer for, are refused.
  if (!LOOPBACK.test(text)) return 'must be http at 127.0.0.1 or [::1], written so';
  return text.includes('#') ? 'must carry no fragment' : undefined;
}

/** Whether a program that registered `registered` may be answered at `asked`: the same address, on any port. */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  return faultOfRedirect(asked) === undefined && registered.some((known) => withoutPort(known) === withoutPort(asked));
}

/** An address without a path has the path `/`. */
function withoutPort(text: string): string {
  const url = new URL(text);
  url.port = '';
  return url.href;
}
