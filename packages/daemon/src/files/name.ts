// Names and types that came with an upload, made safe to show. Neither is ever a path, and nothing relies on either. Pure.

const NAME_CHARS_MAX = 200;
const UNNAMED = 'file';
const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;
const UNKNOWN_TYPE = 'application/octet-stream';
/** Names that Windows gives to devices, whatever follows the first dot. */
const DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/** The last part of `name` without what could hide, reorder or redirect it: control and format characters, separators, dots in front. */
export function safeFileName(name: string | undefined): string {
  const last =
    (name ?? '')
      .toWellFormed()
      .split(/[\\/\0]/)
      .at(-1) ?? '';
  const clean = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '');
  const named = clean === '' ? UNNAMED : DEVICE.test(clean) ? `_${clean}` : clean;
  return shorten(named);
}

/** What the rows of the dataset `name` are called as a file: all of its name, which is often an address. */
export function dataFileName(name: string, extension: string): string {
  const parts = name.split(/[\\/]/).filter((part) => part !== '');
  return safeFileName(`${safeFileName(parts.join('-'))}.${extension}`);
}

/** A media type as it was sent; `application/octet-stream` for what is none. */
export function safeContentType(type: string | undefined): string {
  const plain = (type ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return TYPE.test(plain) ? plain : UNKNOWN_TYPE;
}

/** Keeps the extension. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= NAME_CHARS_MAX) return name;
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  return `${characters.slice(0, NAME_CHARS_MAX - extension.length).join('')}${extension}`;
}
