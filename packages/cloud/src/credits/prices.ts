/** Credits of a page by its lane (D43). */
export const PAGE_PRICE = { http: 1, browser: 2 } as const;

/** Credits of a map (D43); one that finds nothing is free. */
export const MAP_PRICE = 1;
