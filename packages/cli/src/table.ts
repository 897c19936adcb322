// Plain tables for terminals: columns padded, nothing drawn.

/** Rows below a heading; an empty table is its heading alone. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '))
    .join('\n');
}

/** One `name  value` line each. */
export function pairs(entries: readonly (readonly [name: string, value: unknown])[]): string {
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${String(value)}`).join('\n');
}
