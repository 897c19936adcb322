// Reads CSV as RFC 4180 describes it.

/** Rows of cells; a quoted cell may hold commas, line ends and doubled quotes. */
export function textsInCsv(csv: string): string[][] {
  const rows: string[][] = [];
  const row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < csv.length; i++) {
    const character = csv[i] as string;
    if (isQuoted && character === '"' && csv[i + 1] === '"') cell += csv[++i];
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted || !/[,\r\n]/.test(character)) cell += character;
    else if (character !== '\r') {
      row.push(cell);
      cell = '';
      if (character === '\n') rows.push(row.splice(0));
    }
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows;
}
