// The request by which a script of the page would ask for the rows that follow, read from the one that brought the rows before them.
import { OFFSET_NAME, PAGE_NAME, SIZE_NAME } from '../url/turn-names.ts';

const NUMBER = /^\d{1,6}$/;

/**
 * The address of the answer behind the one at `asked`, which held `rows`; undefined where the address numbers neither pages nor rows, or
 * where fewer came than it asks for, as on the last page.
 */
export function onwardOf(asked: string, rows: number): string | undefined {
  const url = URL.parse(asked);
  if (!url) return undefined;
  const numbers = [...url.searchParams].filter(([, value]) => NUMBER.test(value));
  const size = Number(numbers.find(([name]) => SIZE_NAME.test(name))?.[1] ?? rows);
  if (size === 0 || rows < size) return undefined;
  const page = numbers.find(([name]) => PAGE_NAME.test(name));
  const [name, value] = page ?? numbers.find(([each]) => OFFSET_NAME.test(each)) ?? [];
  if (name === undefined) return undefined;
  url.searchParams.set(name, String(Number(value) + (page ? 1 : size)));
  return url.href;
}
