// Whether what another program watches is an address that can be asked for.

/** Why it is none, in a sentence; undefined where it is one. */
export function faultOfAddress(url: string): string | undefined {
  if (/\{\{|\{%/.test(url)) return 'Its address is made of a template at each check, and addresses here are fixed.';
  const parsed = URL.parse(url);
  if (!parsed) return `"${url.slice(0, 200)}" is no address.`;
  if (!/^https?:$/.test(parsed.protocol))
    return `Addresses that begin with ${parsed.protocol} are not looked at; only http: and https: are.`;
  if (parsed.username !== '' || parsed.password !== '')
    return 'Its address carries a user name or password, and addresses are stored and shown; put them into a persona.';
  return url.length > 8192 ? 'Its address is longer than 8,192 characters.' : undefined;
}
