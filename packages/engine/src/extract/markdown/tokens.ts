// Estimates how many tokens of a language model a text takes, without its tokenizer.

/**
 * A whole number of tokens, 0 for the empty string. ASCII counts a quarter token per character (the usual rule of thumb for English),
 * other alphabets half a token, CJK and emoji one token per code unit.
 */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    quarters += code < 0x80 ? 1 : code < 0x2e80 ? 2 : 4;
  }
  return Math.ceil(quarters / 4);
}

/** How many code units of `text` fit into `tokensMax`, at least 1; never between the halves of a surrogate pair. */
export function fittingLength(text: string, tokensMax: number): number {
  let quarters = tokensMax * 4;
  let length = 0;
  while (length < text.length) {
    const code = text.charCodeAt(length);
    quarters -= code < 0x80 ? 1 : code < 0x2e80 ? 2 : 4;
    if (quarters < 0) break;
    length++;
  }
  const last = text.charCodeAt(length - 1);
  if (length > 1 && last >= 0xd800 && last <= 0xdbff) length--;
  return Math.max(length, Math.min(text.length, (text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1));
}
