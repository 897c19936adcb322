// Reads percent escapes of addresses that may be written wrongly.

/** `text` without its percent escapes; as it stands where one of them is none or they are no UTF-8. */
export function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
