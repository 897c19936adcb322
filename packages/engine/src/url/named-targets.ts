// The private addresses that a person names with a URL (D31).

/** `url`'s own host and port, as `host:port`. */
export function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/**
 * The `host:port` pairs that whoever gives `url` has named. Its own; and for http at the default port https at the default port of the
 * same host, to which servers send on. No other port is named by a URL, nor http by https.
 */
export function targetsNamedBy(url: string): readonly string[] {
  const parsed = new URL(url);
  const isPlain = parsed.protocol === 'http:' && parsed.port === '';
  return [hostAndPort(parsed), ...(isPlain ? [`${parsed.hostname}:443`] : [])];
}
