// Writes addresses so that Markdown reads them whole.

const UNSAFE_IN_LINK = /[\s<>\\()|]/;

/** An address that a link can hold without angle brackets (CommonMark section 6.3): parentheses balanced or escaped. */
export function destination(address: string, inCell: boolean): string {
  if (!UNSAFE_IN_LINK.test(address)) return address;
  let text = address.replace(/[\s<>\\]/g, encodeURIComponent);
  if (inCell && text.includes('|')) text = text.replaceAll('|', '%7C');
  return !isBalanced(text) ? text.replace(/[()]/g, '\\$&') : text;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth++;
    else if (char === ')' && --depth < 0) return false;
    if (depth > 30) return false;
  }
  return depth === 0;
}
