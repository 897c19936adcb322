// Addresses that name, by their ending, a file no page can be read from.

const MEDIA =
  /\.(?:jpe?g|png|gif|webp|avif|bmp|tiff?|ico|svgz?|heic|psd|mp3|mp4|m4[av]|ogg|og[av]|wav|flac|aac|avi|mov|mkv|webm|wmv|mpe?g|zip|gz|tgz|bz2|xz|7z|rar|zst|tar|jar|war|deb|rpm|apk|exe|msi|dmg|iso|img|bin|dll|so|woff2?|ttf|otf|eot|css|js|mjs|map|wasm|torrent|swf)$/i;

/** The ending, such as `.zip`, of a URL that no page can be read from; undefined for all others, also for documents such as PDF. */
export function findMediaEnding(url: string): string | undefined {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  // The name of a host ends like a file now and then: only what follows a slash of the path counts.
  const afterHost = path.indexOf('/', path.indexOf('//') + 2);
  return afterHost < 0 ? undefined : MEDIA.exec(path.slice(afterHost))?.[0].toLowerCase();
}
