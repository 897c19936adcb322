// Learns that sorting a list on a host brings nothing that its lists in their own order don't bring.
import { queryPairs } from '../../url/query-pairs.ts';
import { hashOf, viewsOf } from './page-orders.ts';

/**
 * How parameters for the order of a list are called: `sort`, `orderby`, `sort_dir`, `ordering`, Datasette's `_sort_desc`, Django's `o`, phpBB's
 * `sk` and `sd`, Apache's `C` and `O`.
 */
const ORDER_NAME =
  /^_?(?:(?:sort|order)(?:ing|[-_]?(?:by|order|dir|direction|asc|desc|type|col|column|field|key|method|mode|val|value))?|dir|direction|asc|desc|s[kd]|[COo])(?:\[\w*\])?$/;
/** What says which way an order goes, whatever its parameter is called: `_od_PartView=asc`. */
const DIRECTION_VALUE = /^(?:asc|desc)(?:ending)?$/i;
/** Cheap to see in addresses that have none of them. */
const MAY_ORDER = /[?&;]_?(?:sort|order|dir|asc|desc|s[kd]=|[COo]=)|=(?:[Aa]sc|ASC|[Dd]esc|DESC)(?:ending)?(?:[&;#]|$)/;
/** Pages in a row without a link that is new, as many as for a parameter that grows, see trap-memory. */
const BARREN_MAX = 4;
/** A list that says the very words of the one in its own order is all of it, and shows twice as much: not what was left for other pages. */
const WHOLE = 2;
const LINKS_MAX = 20_000;
const HOSTS_MAX = 500;

/** At most 20,000 links of lists; what is forgotten makes an order look new once more. */
export class ListOrders {
  /** Links of pages that offer themselves in other orders, and of those. */
  private readonly links = new Set<number>();
  /** Hosts and names of parameters: pages in a row that brought nothing. */
  private readonly barren: Map<string, number>;

  constructor(saved: Readonly<Record<string, number>> = {}) {
    this.barren = new Map(Object.entries(saved));
  }

  /** Whether any order was found to bring nothing. */
  get isSuspicious(): boolean {
    return this.barren.size > 0;
  }

  /** Notes where a page leads, if it is a list in some order or offers to be one; `isKnown` when a known page says the same words. */
  observe(url: URL, links: readonly string[], isKnown = false): void {
    const order = orderOf(url);
    if (order === undefined && !viewsOf(url, links).some((link) => MAY_ORDER.test(link))) return;
    const own = url.search.slice(1);
    const carried = own === '' ? undefined : encodeURIComponent(own);
    let fresh = 0;
    for (const link of links) {
      // A link that carries the order of its list, to come back to it, leads where it leads from all the others.
      if (MAY_ORDER.test(link) || (carried !== undefined && link.includes(carried))) continue;
      const hash = hashOf(link);
      if (this.links.has(hash)) continue;
      if (this.links.size < LINKS_MAX) this.links.add(hash);
      fresh++;
    }
    if (order === undefined || (!this.barren.has(order) && this.barren.size >= HOSTS_MAX)) return;
    this.barren.set(order, fresh > 0 ? 0 : (this.barren.get(order) ?? 0) + (isKnown ? WHOLE : 1));
  }

  /** What was learnt that speaks against asking for `url`, in words; undefined when nothing does. */
  find(url: URL): string | undefined {
    if (this.barren.size === 0) return undefined;
    const order = orderOf(url);
    const pages = order === undefined ? 0 : (this.barren.get(order) ?? 0);
    return pages >= BARREN_MAX ? `${order}: lists led nowhere that they did not lead in their own order` : undefined;
  }

  /** Whether anything in the address could ask for an order. */
  mayOrder(url: string): boolean {
    return MAY_ORDER.test(url);
  }

  /** The order that `url` asks for, as long as none like it on its host has led anywhere new. */
  findDoubt(url: URL): string | undefined {
    const order = orderOf(url);
    return order !== undefined && this.barren.get(order) !== 0 ? order : undefined;
  }

  toJSON(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.barren);
  }
}

/** The host and the parameters that ask for an order; a number is a thing that was ordered. */
function orderOf(url: URL): string | undefined {
  if (!MAY_ORDER.test(url.search)) return undefined;
  const names = queryPairs(url).flatMap(({ name, value }) => (asksForOrder(name, value) ? [name] : []));
  return names.length === 0 ? undefined : `${url.host}/**?${[...new Set(names)].toSorted().join('&')}`;
}

function asksForOrder(name: string, value: string): boolean {
  return DIRECTION_VALUE.test(value) || (ORDER_NAME.test(name) && !/^\d{2,}$/.test(value));
}
