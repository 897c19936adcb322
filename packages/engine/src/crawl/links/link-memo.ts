// Remembers how addresses resolved: most links of a page are a menu that its neighbours have too.

const SLOTS = 4_096;
const FOLDERS_MAX = 1_000;

/** An address as it stood on a page, and what it led to. */
interface ResolvedLink {
  readonly folder: number;
  readonly raw: string;
  /** Undefined for what is no http or https address. */
  readonly url: string | undefined;
}

/** About 4,000 addresses with what they resolved to in their folder; a newer one takes the place of an older. */
export class LinkMemo {
  private readonly slots: (ResolvedLink | undefined)[] = Array.from({ length: SLOTS });
  private readonly folders = new Map<string, number>();
  private folderCount = 0;

  /** The number that stands for a folder, here and in no other memo. */
  folderNumber(folder: string): number {
    const known = this.folders.get(folder);
    if (known !== undefined) return known;
    // Numbers are not used again, so what was kept under an old one is merely not found.
    if (this.folders.size >= FOLDERS_MAX) this.folders.clear();
    this.folders.set(folder, ++this.folderCount);
    return this.folderCount;
  }

  /** What the bytes from `start` to `end` led to in `folder`; undefined when that is not known. `hash` is any hash of those bytes. */
  find(folder: number, hash: number, bytes: Uint8Array, start: number, end: number): ResolvedLink | undefined {
    const link = this.slots[slotOf(folder, hash)];
    if (!link || link.folder !== folder || link.raw.length !== end - start) return undefined;
    for (let i = 0; i < link.raw.length; i++) if (link.raw.charCodeAt(i) !== bytes[start + i]) return undefined;
    return link;
  }

  keep(hash: number, link: ResolvedLink): void {
    this.slots[slotOf(link.folder, hash)] = link;
  }
}

function slotOf(folder: number, hash: number): number {
  const mixed = Math.imul(hash ^ Math.imul(folder, 0x9e3779b1), 0x85ebca6b);
  return (mixed >>> 15) & (SLOTS - 1);
}
