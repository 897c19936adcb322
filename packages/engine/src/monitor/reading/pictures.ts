// The pictures that a page shows and an extractor wants to see: those that were brought, by their hashes, and those that are still to be brought.
import { PageError } from '../../errors.ts';
import { sha256 } from '../../sha256.ts';
import type { PictureGiven } from '../plan.ts';

/** Pictures of a page that one check looks at. */
export const PICTURES_MAX = 10;

/** What a picture looks like: the hash of its pixels, else SHA-256 of its bytes, in hex; or why that is not known. */
export type SeenPicture = { readonly hash: string } | { readonly problem: string };

/** Pictures by their addresses. */
export class PagePictures {
  /** Addresses that were asked for and are not there, in their order. */
  readonly wanted = new Set<string>();
  private readonly seen: ReadonlyMap<string, SeenPicture> | undefined;

  /** Without `seen` nothing was brought yet. */
  constructor(seen?: ReadonlyMap<string, SeenPicture>) {
    this.seen = seen;
  }

  /** What the picture at `url` comes to. */
  of(url: string): SeenPicture {
    const picture = this.seen?.get(url);
    if (picture) return picture;
    this.wanted.add(url);
    if (this.seen) return { problem: `A check looks at ${PICTURES_MAX} pictures at most, and this page shows more; select fewer.` };
    return { problem: 'The picture was not fetched.' };
  }
}

/** Hashes what was brought; undefined stands for nothing yet. */
export async function seePictures(given: readonly PictureGiven[] | undefined): Promise<PagePictures> {
  if (!given) return new PagePictures();
  const seen = new Map<string, SeenPicture>();
  for (const picture of given) seen.set(picture.url, await see(picture));
  return new PagePictures(seen);
}

async function see({ url, body, problem }: PictureGiven): Promise<SeenPicture> {
  if (!body) return { problem: problem ?? 'The picture was not fetched.' };
  if (!isPixels(body)) return { hash: sha256(body) };
  try {
    return { hash: await hashPicture(body, url) };
  } catch (error) {
    if (error instanceof PageError) return { problem: error.message };
    throw error;
  }
}

/** The perceptual hash of a PNG or JPEG. Throws PageError for one that can't be read. Loaded when it is needed: few pages show one that is watched. */
export async function hashPicture(body: Uint8Array, name: string): Promise<string> {
  const [{ decodePicture }, { pictureHash }] = await Promise.all([
    import('../../diff/picture/decode.ts'),
    import('../../diff/picture/hash.ts'),
  ]);
  return pictureHash(decodePicture(body, name));
}

/** PNG and JPEG, by their first bytes: the pictures whose pixels are looked at. */
export function isPixels(body: Uint8Array): boolean {
  const starts = (...bytes: readonly number[]) => bytes.every((byte, place) => body[place] === byte);
  return starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) || starts(0xff, 0xd8, 0xff);
}
