// Where the pages of a site go in a folder: paths like the site's, with names that any system takes.
import { hash } from 'node:crypto';

/** Characters that Windows refuses in names, and those that nobody sees. */
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Names of devices on Windows, whatever follows their first dot ("Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i;
/** Endings of pages, which the ending of the file replaces. */
const PAGE_ENDING = /\.(?:x?html?|php\d?|aspx?|jsp|cgi)$/i;
/** Bytes of one name: file systems take 255, some of them in encodings that make more of a letter. */
const NAME_BYTES_MAX = 100;
/** Characters of a path below the folder: Windows takes 260 for all of it. */
const PATH_CHARS_MAX = 180;

/** A file for each address, relative, with `/` between names, different without regard to case; the first address keeps the plainest name. */
export function pathsOf(urls: readonly string[], extension: string): ReadonlyMap<string, string> {
  const hasHosts = new Set(urls.map((url) => new URL(url).host)).size > 1;
  const taken = new Taken();
  return new Map(urls.map((url) => [url, taken.place(pathOf(new URL(url), hasHosts), extension)]));
}

/** Names of folders and of the file, without its ending. */
function pathOf(url: URL, hasHosts: boolean): readonly string[] {
  const parts = url.pathname.split('/').slice(1);
  const last = parts.pop() ?? '';
  const query = url.search.length > 1 ? `@${url.search.slice(1)}` : '';
  const file = `${last === '' ? 'index' : last.replace(PAGE_ENDING, '') || last}${query}`;
  const path = [...(hasHosts ? [url.host] : []), ...parts.filter((part) => part !== ''), file].map(safeName);
  if (path.join('/').length <= PATH_CHARS_MAX) return path;
  return [...path.slice(0, hasHosts ? 1 : 0), 'long', digest(url.href)];
}

/** A name that stays in its folder, hides from nobody and is no option of a program. */
function safeName(part: string): string {
  const name = decoded(part)
    .normalize('NFC')
    .replaceAll(FORBIDDEN, '_')
    .replace(/^[.\- ]|[. ]+$/g, (found) => '_'.repeat(found.length));
  const own = DEVICE.test(name.split('.')[0]?.trimEnd() ?? '') ? `_${name}` : name;
  if (Buffer.byteLength(own) <= NAME_BYTES_MAX) return own;
  const mark = `~${digest(part)}`;
  let kept = '';
  for (const letter of own) {
    if (Buffer.byteLength(kept + letter) + mark.length > NAME_BYTES_MAX) break;
    kept += letter;
  }
  return kept + mark;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function digest(text: string): string {
  return hash('sha256', text).slice(0, 12);
}

/** The names that are given away: a file takes no other's place, and none that is a folder. */
class Taken {
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  place(path: readonly string[], extension: string): string {
    let above = '';
    for (const part of path.slice(0, -1)) {
      above = this.free(`${above}${part}`, '', this.files);
      this.folders.add(fold(above));
      above += '/';
    }
    const file = this.free(`${above}${path.at(-1) ?? ''}`, `.${extension}`, {
      has: (name) => this.files.has(name) || this.folders.has(name),
    });
    this.files.add(fold(file));
    return file;
  }

  /** The first of `path`, `path~2`, ... that is none of `others`. */
  private free(path: string, ending: string, others: { has(name: string): boolean }): string {
    for (let number = 1; ; number++) {
      const name = `${path}${number === 1 ? '' : `~${number}`}${ending}`;
      if (!others.has(fold(name))) return name;
    }
  }
}

/** Some systems tell no case, and none of them tells how a letter was put together. */
function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
