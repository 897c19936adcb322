// Reads CSV by the letter of RFC 4180, so that what we write is held to it.

/** The rows of `text`. Throws Error for anything that the RFC does not allow: a bare quote, a lone line break, a row of another length. */
export function parseStrictCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;
    cell.lastIndex = at;
    const [whole = '', quoted, plain = ''] = cell.exec(text) ?? [];
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (text[at] === ',') at++;
    else if (text.startsWith('\r\n', at)) {
      at += 2;
      rows.push(row);
      row = [];
    } else throw new Error(`not RFC 4180 at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
  }
  const odd = rows.findIndex(({ length }) => length !== rows[0]?.length);
  if (row.length > 0 || odd >= 0) throw new Error(`row ${odd} has another length than the first, or the last one has no end`);
  return rows;
}
