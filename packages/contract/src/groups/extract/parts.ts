// What an extraction can ask a page for.

/** The kinds of selectors, of which a request takes one. */
export const EXTRACT_SELECTORS = ['css', 'xpath', 'jsonpath', 'regex', 'text', 'role', 'label', 'aria', 'pierce'] as const;
/** Parts of a page that need no selector. */
export const EXTRACT_PARTS = ['list', 'product', 'forms'] as const;
