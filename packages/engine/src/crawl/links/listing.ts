// Knows the pages by which web servers list a folder, where a name is the name of a file on a disk.
import type { PageLinks } from './page-links.ts';

/**
 * Endings of archives, pictures, sound, film, fonts and programs, as shared-mime-info and mime.types have them. A page may be called so in a
 * wiki, never in a listing; what could be read or is written as text (`.pdf`, `.css`, `.js`) is asked for.
 */
const FILE =
  /\.(?:gz|tgz|bz2|tbz2?|xz|txz|zst|lz4?|lzma|z|zip|7z|rar|tar|cpio|deb|udeb|rpm|apk|jar|war|whl|egg|gem|crx|xpi|iso|img|dmg|vmdk|qcow2|msi|exe|dll|so|bin|png|jpe?g|gif|webp|avif|bmp|ico|tiff?|psd|mp3|ogg|oga|opus|flac|wav|m4a|aac|mp4|m4v|webm|mkv|avi|mov|mpe?g|ogv|woff2?|ttf|otf|eot|asc|sig|gpg)$/i;

/**
 * The files among what a listing links to, all of which stand directly in its folder, beside the folder above or the same listing in another
 * order; empty for all other pages.
 */
export function listedFiles(address: string, { links }: Pick<PageLinks, 'links'>): ReadonlySet<string> {
  const folder = address.split(/[?#]/, 1)[0] ?? '';
  const above = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  if (!folder.endsWith('/')) return NONE;
  let leadsUp = false;
  const files = new Set<string>();
  for (const { url } of links) {
    const isOwn = url === folder || url.startsWith(`${folder}?`);
    leadsUp ||= isOwn || url === above;
    if (isOwn || url === above) continue;
    const name = url.startsWith(folder) ? url.slice(folder.length).replace(/\/$/, '') : '';
    if (name === '' || /[/?#]/.test(name)) return NONE;
    if (FILE.test(url)) files.add(url);
  }
  return leadsUp ? files : NONE;
}

const NONE: ReadonlySet<string> = new Set();
