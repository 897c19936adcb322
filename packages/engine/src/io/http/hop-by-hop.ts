// Headers that belong to one connection and are never passed on (RFC 9110 section 7.6.1), with those of proxies.

/** Lower-case names. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
