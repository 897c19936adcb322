// Addresses as people type them.

/** `url` with `https://` before it where it names no scheme. */
export function toUrl(url: string): string {
  return url.includes('://') ? url : `https://${url}`;
}
