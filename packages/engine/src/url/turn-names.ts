// How parameters are called that number the pages of a list, or say where in it an answer begins and how much it holds.

/** The number of a page. */
export const PAGE_NAME = /^_?(?:page|p|pg|paged|page_?(?:no|num|number|index)|seite)$/i;
/** How many items come before the first one. */
export const OFFSET_NAME = /^_?(?:offset|skip|start|from)$/i;
/** How many items are asked for. */
export const SIZE_NAME = /^_?(?:limit|size|per_?page|page_?size|count|rows|first|take|hits_?per_?page)$/i;
