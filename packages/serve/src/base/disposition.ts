// The header that names a download (RFC 6266).

/** An attachment called `name`: in ASCII for old readers, in full for the others. */
export function attachmentHeader(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  // RFC 8187 allows fewer characters than encodeURIComponent leaves.
  const full = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}
