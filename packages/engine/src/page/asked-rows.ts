// The request by which a script of the page would ask for the rows that follow, read from the one that brought the rows before them.
import { OFFSET_NAME, PAGE_NAME, SIZE_NAME } from '../url/turn-names.ts';

const NUMBER = /^\d{1,6}$/;

/** Where answers say what comes next: Django REST framework, Laravel, JSON:API, HAL, the Graph API; null on the last page. */
const NEXT_PLACES = ['next', 'next_url', 'next_page_url', 'links', '_links', 'paging', 'pagination', 'meta'];

/** An answer with a list. */
export interface AnsweredRows {
  readonly rows: number;
  /** How many rows the first answer held. */
  readonly full: number;
  readonly json: unknown;
}

/**
 * The address of the answer behind the one from `asked`: as it says itself, else by counting on. Undefined where the address numbers neither
 * pages nor rows, or where fewer came than it asks for, as on the last page.
 */
export function onwardOf(asked: string, { rows, full, json }: AnsweredRows): string | undefined {
  const stated = statedNext(json, asked);
  if (stated !== undefined) return stated ?? undefined;
  const url = URL.parse(asked);
  if (!url) return undefined;
  const numbers = [...url.searchParams].filter(([, value]) => NUMBER.test(value));
  const size = Number(numbers.find(([name]) => SIZE_NAME.test(name))?.[1] ?? full);
  if (size === 0 || rows < size) return undefined;
  const page = numbers.find(([name]) => PAGE_NAME.test(name));
  const [name, value] = page ?? numbers.find(([each]) => OFFSET_NAME.test(each)) ?? [];
  if (name === undefined) return undefined;
  url.searchParams.set(name, String(Number(value) + (page ? 1 : size)));
  return url.href;
}

/** The next address that `answer` states; null where it states that there is none, undefined where it says nothing of it. */
function statedNext(answer: unknown, asked: string): string | null | undefined {
  for (const name of NEXT_PLACES) {
    const value = memberOf(answer, name);
    const stated = name.startsWith('next') ? value : memberOf(value, 'next');
    const next = memberOf(stated, 'href') ?? stated;
    if (next === null) return null;
    // A number or a mark is no address, and nothing tells here how it is sent.
    if (typeof next !== 'string' || !/^(?:https?:\/\/|[/?])/.test(next)) continue;
    const url = URL.parse(next, asked);
    if (url && url.origin === URL.parse(asked)?.origin) return url.href;
  }
  return undefined;
}

function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isObject ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
